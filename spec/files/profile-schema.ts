import { enum as oneOf, strictObject, z } from 'zod';
import { checks } from '../checks.ts';
import { type OperationId, operationIds } from '../operations.ts';
import { type RefusalCase, refusals } from '../refusals.ts';
import { operationOverrides } from './operation-override.ts';
import { optionalFields } from './optional-fields.ts';
import { parsed } from './shape-problems.ts';

const property = z.string().min(1);
const errorStatus = z.int().min(400, 'must be 400 to 599').max(599, 'must be 400 to 599');
const successStatus = z.int().min(200, 'must be 200 to 299').max(299, 'must be 200 to 299');

const retryAfter = 'must be "computed" or whole seconds, at least 1';

const refusal = strictObject({
  status: errorStatus.describe('The status of the reply.'),
  code: property.describe('error.code of the error body.').optional(),
  body: oneOf(['error', 'message'])
    .describe('error: the error body; message: a gateway\'s {"message": ...}. Without it, error.')
    .optional(),
  message: property.describe('The words for people, which replace those of the mock.').optional(),
});

const refusalShape = Object.fromEntries(
  Object.entries(refusals).map(([name, [, , when]]) => [name, refusal.describe(when)]),
  // The type of fromEntries cannot express that the keys are the cases.
) as Record<RefusalCase, typeof refusal>;

/** Refusals that a deployment may leave out. */
const permitted = oneOf([
  ...['not-json', 'malformed-conversation-id', 'malformed-client-id', 'malformed-label-id'],
  ...['unknown-label', 'foreign-label', 'private-label'],
] as [RefusalCase, ...RefusalCase[]]);

const place = z
  .string()
  .regex(/^(?:[^.]+(?:\.[^.]+)*)?$/, 'must be names of properties with dots between, or "" for a bare array')
  .describe('The property that holds the array, with dots for depth; "" for a bare array.');

/** `clients[].region`: the property of every item of the list at `clients`. */
const inBody = z
  .string()
  .regex(
    /^[^.[\]]+(?:\[\])*(?:\.[^.[\]]+(?:\[\])*)*$/,
    'must be names of properties with dots between, [] for each item',
  );

/** How bodies differ from those of the contract. */
const bodyChanges = optionalFields({
  add: z
    .record(inBody, z.json())
    .describe('Sample values of properties, where a record has none; count and total count the only list beside them.'),
  replace: z.record(inBody, z.json()).describe('Sample values in place of those of a record.'),
  omit: z.array(inBody).describe('Properties that are not shown.'),
  in: property.describe('The property that holds the whole body; it is part of the paths above.'),
});

const mediaType = z
  .string()
  .regex(/^application\/(?:[\w.-]+\+)?json(?:\s*;.*)?$/i, 'must be a type of JSON, such as application/problem+json');

const latency = strictObject({
  median: z.number().positive().describe('Half of the replies take less, in milliseconds.'),
  p99: z.number().positive().describe('One in a hundred takes more, in milliseconds.'),
}).refine(({ median, p99 }) => p99 >= median, 'p99 must be at least the median');

/** One value for each operation. */
const byOperation = <Schema extends z.ZodType>(schema: Schema) =>
  optionalFields(Object.fromEntries(operationIds.map((id) => [id, schema])) as Record<OperationId, Schema>);

/** Where a reply has its labels, and what each item is. */
const labelsInReply = optionalFields({
  at: place,
  items: oneOf(['ids', 'names', 'records']).describe('What each item is.'),
});

/**
 * The profile file: what a deployment does where the specification is silent. Conformance writes it, the mock reads it,
 * people edit it. Decisions.md applies to everything that is left out. Types and JSON Schema are derived from this schema.
 */
export const profileSchema = optionalFields({
  $schema: z.string().describe('For editors.'),
  observed: optionalFields({
    at: z.iso.datetime({ offset: true, error: 'must be a date and time such as 2026-11-21T10:00:00Z' }),
    target: z.string().describe('baseUrl of the deployment.'),
    kit: z.string().describe('The version of partnerkit.'),
  }).describe('Where the profile comes from; only for people.'),
  operations: operationOverrides({ status: successStatus.describe('The success status.') }).describe(
    'Methods, paths, scopes and success statuses; null if there is no such operation.',
  ),
  errors: optionalFields(refusalShape).describe('How requests are refused, case by case.'),
  order: z
    .array(oneOf(checks))
    .refine(
      (names) => names.toSorted().join() === checks.toSorted().join(),
      `must name ${checks.join(', ')}, each once`,
    )
    .describe(
      'In which order a request is checked once its key is known; the first check that fails decides the reply.',
    ),
  permits: byOperation(z.array(permitted)).describe(
    'What is not refused: a body that is not declared as JSON is read, a malformed id looked up, and to remove a label that cannot be on changes nothing.',
  ),
  encodedLetters: oneOf(['same', 'other']).describe(
    'Whether a path in which a letter is percent-encoded is the same path (RFC 3986, 6.2.2.2). Without it, same.',
  ),
  shapes: optionalFields({
    label: optionalFields({
      id: property.describe('The property with the id.'),
      name: property.describe('The property with the name.'),
    }).describe('Property names of a label record.'),
    labelList: optionalFields({
      at: place,
      // Clients find the ids of labels in this list, so it cannot have names alone.
      items: oneOf(['ids', 'records']).describe('What each item is.'),
      pages: strictObject({
        size: z.int().min(1).describe('Labels of a page.'),
        next: property.describe('The property, with dots for depth, that leads to the next page; null on the last.'),
        as: oneOf(['link', 'offset', 'page', 'cursor']).describe('What that property is.'),
        parameter: property.describe('The query parameter that asks for another page.'),
      }).describe('Pages of the list, by name; without it, there is one.'),
    })
      .refine(
        ({ at, pages }) => at !== '' || pages === undefined,
        'a bare array has no property that leads to the next page',
      )
      .describe('The reply that lists labels.'),
    conversationLabels: labelsInReply.describe('Replies to applying and removing a label of a conversation.'),
    clientSiteLabels: labelsInReply.describe('Replies to applying and removing a label of a link.'),
    contextLabels: oneOf(['ids', 'names']).describe('What the strings in labels of a context are.'),
  }).describe('Shapes of replies.'),
  bodies: byOperation(bodyChanges).describe(
    'Properties of successes, by operation: those that the contract does not have, or that look otherwise.',
  ),
  headers: z
    .record(z.string().regex(/^[a-z0-9-]+$/, 'must be the name of a header in small letters'), z.string().nullable())
    .describe('Headers of every reply of the API, such as cache-control: no-store; null leaves one out.'),
  errorBody: bodyChanges.describe('Properties of every error body besides code and message.'),
  mediaTypes: optionalFields({
    success: mediaType,
    error: mediaType.describe('That of refusals and of what is throttled, such as application/problem+json.'),
  }).describe('Content-Type of replies; without it, application/json; charset=utf-8.'),
  latency: byOperation(latency).describe('How long replies take, by operation.'),
  upload: optionalFields({
    putStatus: successStatus.describe('The status of a successful PUT to the upload URL.'),
    store: oneOf(['strict', 'gcs', 'lenient']).describe(
      'What the upload target refuses: strict, what S3 or Google Cloud Storage refuses; gcs, what the latter refuses; lenient, wrong signatures and digests only. Without it, strict.',
    ),
    registerStatus: successStatus.describe('The status of a successful registration.'),
    registerTwice: strictObject({ ...refusal.shape, status: z.union([successStatus, errorStatus]) }).describe(
      'The reply to registering a fileKey again; a success status if that is allowed.',
    ),
    registerBeforePut: strictObject({ ...refusal.shape, status: z.union([successStatus, errorStatus]) }).describe(
      'The reply to registering a fileKey before its bytes were sent.',
    ),
    putAfterRegister: oneOf(['refused', 'replaces']).describe(
      'Whether the upload URL takes other bytes after the file is registered. Without it, refused.',
    ),
  }).describe('The upload flow.'),
  limits: optionalFields({
    reading: oneOf(['bucket-20', 'gcra-21', 'bucket-30', 'gcra-31']).describe(
      'The meaning of "burst 20 on top of the rate": how many requests pass at once, and how the bucket refills.',
    ),
    atOnce: z.int().min(1).describe('How many requests of a key with burst 20 pass at once, where no reading fits.'),
    retryAfter: z
      .union([z.literal('computed'), z.int().min(1, retryAfter)], retryAfter)
      .describe('Retry-After: computed from the bucket, or always the same number of seconds.'),
    bodyBytes: z.int().min(1).describe('The largest request body.'),
  }).describe('Rate and size limits.'),
}).transform(({ $schema: _, ...profile }) => profile);

/** A checked profile. Decisions.md applies to everything that it leaves out. */
export type Profile = z.output<typeof profileSchema>;

/** Checks a profile that is already in memory. @param where the name of the value in errors, such as its file */
export const parseProfile = (value: unknown, where: string): Profile => parsed(profileSchema, value, where);
