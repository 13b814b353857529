import { z } from 'zod';
import { closedObject, oneOf } from './closed-object.ts';
import { ConfigurationError } from './configuration-error.ts';
import { substituteEnvironment } from './environment.ts';
import { hooks } from './hooks.ts';
import { operationOverrides, scope } from './operation-override.ts';
import { placeOf, problemLine, type ShapeProblem, shapeProblems } from './shape-problems.ts';
import { readYamlFile } from './yaml-file.ts';

const name = z.string().min(1, 'must not be empty');
const uuid = z.guid('must be a UUID');
const siteId = z
  .string()
  .min(1, 'must not be empty')
  .describe('ovaid-<uuid>, or the bare id of a legacy site, in quotes.');

const rateLimit = closedObject({
  perSecond: z.number().positive('must be above 0').default(10).describe('Requests per second that the key sustains.'),
  burst: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .default(20)
    .describe('Requests on top of the rate.'),
});

const key = closedObject({
  name: name.describe('How reports and curl lines call the key; unique in its tenant.'),
  secret: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII without spaces, as it is sent in a header, and not empty')
    .describe(`The x-api-key value. Keep it out of the file: "\${ACME_KEY}" takes an environment variable.`),
  scopes: z.array(scope).default([]).describe('The scopes that the key carries; checks choose keys by them.'),
  rateLimit: rateLimit.prefault({}).describe('The limits of this key, where the operator has raised them.'),
  revoked: z.boolean().default(false).describe('Whether the key was revoked, so that it must not authenticate.'),
  use: oneOf(['limits']).describe('limits: kept for limit checks alone, which exhaust it.').optional(),
});

const label = closedObject({
  id: uuid.describe('The id of the label.'),
  name: name.describe('The name of the label; searched for in replies.').optional(),
});

const tenant = closedObject({
  name: name.describe('How reports call the tenant; unique in the file.'),
  keys: z
    .array(key)
    .min(1, 'must have at least one key')
    .superRefine(uniqueNames('another key of this tenant has this name'))
    .describe('Any number; the more scopes vary, the more is checked.'),
  conversations: closedObject({
    open: uuid.describe('A conversation that is not closed.').optional(),
    closed: uuid.describe('A closed conversation.').optional(),
  })
    .describe('Conversations that checks may read and label; labels are restored.')
    .optional(),
  sites: closedObject({
    current: siteId.describe('A site with an id of the newer form.').optional(),
    legacy: siteId.describe('A site with a bare id, such as "10042", in quotes.').optional(),
  })
    .describe('Sites that checks may label (labels are restored) and upload to (with --allow-leftovers).')
    .optional(),
  clientSite: closedObject({
    client: z
      .string()
      .regex(/^ovcid-/, 'must start with "ovcid-"')
      .describe('The id of the client.'),
    site: siteId,
  })
    .describe('A client and a site that are linked.')
    .optional(),
  spareLabel: label
    .describe('A public label that nothing carries, so that putting it on and taking it off disturbs nobody.')
    .optional(),
  spareLabels: z
    .array(label)
    .describe('Further public labels that nothing carries: with two or more, keys write different labels at once.')
    .optional(),
  privateLabel: label
    .describe('A private label that conversations.open carries, put there inside the product. It must show nowhere.')
    .optional(),
  privateLabels: z
    .array(
      closedObject({
        ...label.shape,
        on: z
          .array(z.enum(['conversations.open', 'conversations.closed', 'sites.current', 'sites.legacy', 'clientSite']))
          .describe('The records of this tenant that carry it.')
          .optional(),
      }),
    )
    .describe('Further private labels, each with the records that carry it, put there inside the product.')
    .optional(),
});

/** The target file: a deployment as conformance and load see it. Its only definition; types and JSON Schema follow. */
export const targetSchema = closedObject({
  $schema: z.string().describe('For editors.').optional(),
  baseUrl: z
    .string()
    .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
      error: 'must be an http or https URL, such as https://connect.example.com',
      abort: true,
    })
    .refine((text) => !/\/v1\/*$/.test(text), 'must not end with /v1: the paths of the contract begin with it')
    .refine((text) => !/[?#]/.test(text), 'must have neither a query nor a fragment')
    .refine((text) => !/^https?:\/\/[^/]*@/i.test(text), 'must have no user or password')
    .overwrite((text) => text.replace(/\/+$/, ''))
    .describe('Where the API is, without /v1.'),
  tenants: z
    .array(tenant)
    .min(1, 'must have at least one tenant')
    .superRefine(uniqueNames('another tenant has this name'))
    .describe('The first tenant is the one under test, the second the stranger that must see nothing of it.'),
  operations: operationOverrides({})
    .default({})
    .describe('Only what this deployment does differently from the contract.'),
  clockSkewSeconds: z
    .number()
    .min(0, 'must not be negative')
    .default(5)
    .describe('How far the clocks of the deployment and of this machine may differ, in both directions.'),
  settleMilliseconds: z
    .number()
    .min(0, 'must not be negative')
    .default(1_000)
    .describe('How long reads may lag behind writes. The reply to a write is the truth about that write at once.'),
  headers: z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header'), z.string())
    .default({})
    .describe(
      'Headers that every request carries, for a gateway before the API. Keep secrets out of the file: "${NAME}".',
    ),
  upload: closedObject({
    contentType: z
      .string()
      .min(1, 'must not be empty')
      .default('text/plain')
      .describe('A content type that this deployment takes for uploads.'),
    registration: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Fields that a registration needs beside fileKey.'),
  })
    .prefault({})
    .describe('What uploads to this deployment need.'),
  hooks: hooks
    .default({})
    .describe(
      'Commands for what only the product can do, run with --allow-hooks alone. The shell takes environment variables, so that no secret stands here.',
    ),
}).transform(({ $schema: _, ...target }) => target);

/** A checked target, with every default filled in. `baseUrl` has no trailing slash. */
export type Target = z.output<typeof targetSchema> & {
  /** Environment variables that secrets and headers were taken from, by place: `tenants[0].keys[0].secret`. */
  readonly variables?: Readonly<Record<string, string>>;
};
/** What a target file may say. */
export type TargetInput = z.input<typeof targetSchema>;
export type TargetTenant = Target['tenants'][number];
export type TargetKey = TargetTenant['keys'][number];

/** Values of the environment by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Checks a target that is already in memory.
 * @param env replaces every `${NAME}`
 * @param where what errors call the value, such as the name of its file
 * @throws ConfigurationError with every problem found, one line each
 */
export function parseTarget(value: unknown, env: Environment, where: string): Target {
  const { value: substituted, missing, whole } = substituteEnvironment(withoutHooks(value), env);
  if (isRecord(value) && isRecord(substituted) && 'hooks' in value) substituted.hooks = value.hooks;
  const parsed = targetSchema.safeParse(substituted, { reportInput: true });
  const unset = missing.map(({ path, name }) => ({ path, message: `environment variable ${name} is not set` }));
  if (unset.length === 0 && parsed.success) {
    if (whole.length === 0) return parsed.data;
    return { ...parsed.data, variables: Object.fromEntries(whole.map(({ path, name }) => [placeOf(path), name])) };
  }

  // A text whose variable is not set is reported once, for the variable, and not for its shape too.
  const unsetPlaces = new Set(unset.map(({ path }) => placeOf(path)));
  const malformed = (parsed.error ? shapeProblems(parsed.error) : []).filter(
    ({ path }) => !unsetPlaces.has(placeOf(path)),
  );
  const problems: readonly ShapeProblem[] = [...unset, ...malformed];
  throw new ConfigurationError(problems.map((problem) => problemLine(where, problem)));
}

/**
 * Reads and checks a target file, YAML or JSON.
 * @param env replaces every `${NAME}`
 * @throws ConfigurationError with every problem found, one line each: file, place, what is wrong
 */
export function loadTarget(file: string, env: Environment = process.env): Target {
  return parseTarget(readYamlFile(file), env, file);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The shell fills in the variables of a hook, so that no secret gets into a command line, which other users can see. */
const withoutHooks = (value: unknown) => (isRecord(value) ? { ...value, hooks: undefined } : value);

function uniqueNames(message: string) {
  return (named: readonly { readonly name: string }[], context: z.core.$RefinementCtx) => {
    const names = named.map(({ name }) => name);
    names.forEach((name, position) => {
      if (names.indexOf(name) < position) context.addIssue({ code: 'custom', path: [position, 'name'], message });
    });
  };
}
