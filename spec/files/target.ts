import { strictObject, z } from 'zod';
import { ConfigurationError } from './configuration-error.ts';
import { substituteEnvironment } from './environment.ts';
import { hooks } from './hooks.ts';
import { operationOverrides, scope } from './operation-override.ts';
import { optionalFields } from './optional-fields.ts';
import { readYamlFile } from './read-file.ts';
import { placeOf, problemLine, tried, unique } from './shape-problems.ts';
import { readTls } from './tls.ts';

const name = z.string().min(1);
const uuid = z.guid('must be a UUID');
const siteId = z.string().min(1).describe('ovaid-<uuid>, or the bare id of a legacy site, in quotes.');

const rateLimit = strictObject({
  perSecond: z.number().positive().default(10).describe('Requests per second that the key sustains.'),
  burst: z.int().min(1).default(20).describe('Requests on top of the rate.'),
});

const key = strictObject({
  name: name.describe('The name of the key in reports and curl lines; unique in its tenant.'),
  secret: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII without spaces, as it is sent in a header, and not empty')
    .describe(`The x-api-key value. Keep it out of the file: "\${ACME_KEY}" is replaced by an environment variable.`),
  scopes: z.array(scope).default([]).describe('The scopes of the key; checks choose keys by them.'),
  rateLimit: rateLimit
    .prefault({})
    .describe(
      'The limits of this key, if the operator has raised them. A key whose burst is above 200 is not overloaded, unless it has use: limits.',
    ),
  revoked: z.boolean().default(false).describe('Whether the key was revoked, so that it must not authenticate.'),
  use: z.enum(['limits']).describe('limits: only checks of limits use this key; they exhaust it.').optional(),
});

const headers = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header'),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must have no line break and no character that a header cannot have'),
);

const pem = (what: string) =>
  z.string().min(1).describe(`${what} PEM text, such as "\${NAME}", or a file, by its path from the target file.`);

const label = strictObject({
  id: uuid.describe('The id of the label.'),
  name: name.describe('The name of the label; checks search replies for it.').optional(),
});

const link = strictObject({
  client: z
    .string()
    .regex(/^ovcid-/, 'must start with "ovcid-"')
    .describe('The id of the client.'),
  site: siteId,
});

const tenant = strictObject({
  name: name.describe('The name of the tenant in reports; unique in the file.'),
  keys: z
    .array(key)
    .min(1, 'must have at least one key')
    .superRefine(unique('name', 'another key of this tenant has this name'))
    .describe('Any number; the more scopes vary, the more is checked.'),
  ...optionalFields({
    conversations: optionalFields({
      open: uuid.describe('A conversation that is not closed.'),
      closed: uuid.describe('A closed conversation.'),
    }).describe('Conversations that checks may read and label; labels are restored.'),
    sites: optionalFields({
      current: siteId.describe('A site with an id of the newer form.'),
      legacy: siteId.describe('A site with a bare id, such as "10042", in quotes.'),
    }).describe('Sites that checks may label (labels are restored) and upload to (with --allow-leftovers).'),
    clientSite: link.describe('A client and a site that are linked.'),
    otherClientSite: link.describe(
      'Another link, of the same client if possible: shows whether writes to one link change the labels of another.',
    ),
    spareLabel: label.describe('A public label that no record has, so that applying and removing it disturbs nobody.'),
    spareLabels: z
      .array(label)
      .describe(
        'Further public labels that no record has. With two or more, several keys can write labels at the same time.',
      ),
    privateLabel: label.describe(
      'A private label that conversations.open has, applied inside the product. No reply may show it.',
    ),
    privateLabels: z
      .array(
        strictObject({
          ...label.shape,
          on: z
            .array(
              z.enum([
                'conversations.open',
                'conversations.closed',
                'sites.current',
                'sites.legacy',
                'clientSite',
                'otherClientSite',
              ]),
            )
            .describe('The records of this tenant that have the label.')
            .optional(),
        }),
      )
      .describe('Further private labels, each with the records that have it, applied inside the product.'),
  }).shape,
});

/** The target file: a deployment as conformance and load see it. Types and JSON Schema are derived from this schema. */
export const targetSchema = strictObject({
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
    .overwrite((text) => text.replace(/\/+$/, '').replace(/^https?(?=:)/i, (scheme) => scheme.toLowerCase()))
    .describe('Where the API is, without /v1.'),
  tenants: z
    .array(tenant)
    .min(1, 'must have at least one tenant')
    .superRefine(unique('name', 'another tenant has this name'))
    .describe('The first tenant is under test. The second must not see anything of it.'),
  operations: operationOverrides({}).default({}).describe('The differences of this deployment from the contract.'),
  clockSkewSeconds: z
    .number()
    .min(0)
    .default(5)
    .describe('How far the clocks of the deployment and of this machine may differ, in both directions.'),
  settleMilliseconds: z
    .number()
    .min(0)
    .default(1_000)
    .describe('How long reads may lag behind writes. The reply to a write must show that write at once.'),
  headers: headers
    .default({})
    .describe(`Headers of every request, for a gateway in front of the API. Keep secrets out of the file: "\${NAME}".`),
  tls: optionalFields({
    ca: pem('The certificates of a private authority, which are trusted besides the usual ones.'),
    cert: pem('The certificate of this client, with those between it and its authority.'),
    key: pem('The private key of cert, without a passphrase.'),
  })
    .describe('For a deployment with a private authority, or one that asks for a client certificate.')
    .optional(),
  upload: strictObject({
    contentType: z.string().min(1).default('text/plain').describe('A content type that this deployment accepts.'),
    headers: headers
      .refine((all) => Object.keys(all).every((name) => name.toLowerCase() !== 'content-type'), {
        error: 'must not name Content-Type, which is upload.contentType',
      })
      .default({})
      .describe('Headers that the storage needs of every PUT to an upload URL, such as x-ms-blob-type: BlockBlob.'),
    registration: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Fields that a registration needs in addition to fileKey.'),
  })
    .prefault({})
    .describe('What uploads to this deployment need.'),
  hooks: hooks
    .default({})
    .describe(
      'Commands for actions that only the product can do; they run only with --allow-hooks. The shell replaces environment variables, so keep secrets out of the file.',
    ),
}).transform(({ $schema: _, ...target }) => target);

/** A checked target with all defaults. `baseUrl` has no trailing slash. */
export type Target = z.output<typeof targetSchema> & {
  /** The names of environment variables that were inserted, by place, such as `tenants[0].keys[0].secret`. */
  readonly variables?: Readonly<Record<string, string>>;
};
/** The content of a target file, before defaults. */
export type TargetInput = z.input<typeof targetSchema>;
export type TargetTenant = Target['tenants'][number];
export type TargetKey = TargetTenant['keys'][number];

/** Values of the environment by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Checks a target that is already in memory.
 * @param env the values for each `${NAME}`
 * @param where the name of the value in errors, such as its file
 * @throws ConfigurationError with a line for each problem
 */
export function parseTarget(value: unknown, env: Environment, where: string): Target {
  const { value: substituted, missing, whole, mistaken } = substituteEnvironment(withoutHooks(value), env);
  if (isRecord(value) && isRecord(substituted) && 'hooks' in value) substituted.hooks = value.hooks;
  const { data, problems } = tried(targetSchema, substituted);
  const unset = [
    ...missing.map(({ path, name }) => ({ path, message: `environment variable ${name} is not set` })),
    // A label may be called so.
    ...mistaken.flatMap((path) => (path.at(-1) === 'name' ? [] : [{ path, message: looksLike }])),
  ];
  if (unset.length === 0 && data !== undefined) {
    const { tls } = data;
    return {
      ...data,
      ...(tls && { tls: readTls(tls, where) }),
      ...(whole.length > 0 && {
        variables: Object.fromEntries(whole.map(({ path, name }) => [placeOf(path), name])),
      }),
    };
  }

  // A text whose variable is not set has one problem, the variable. Its shape is not checked.
  const unsetPlaces = new Set(unset.map(({ path }) => placeOf(path)));
  const malformed = problems.filter(({ path }) => !unsetPlaces.has(placeOf(path)));
  throw new ConfigurationError([...unset, ...malformed].map((problem) => problemLine(where, problem)));
}

/**
 * Reads and checks a target file, YAML or JSON.
 * @param env the values for each `${NAME}`
 * @throws ConfigurationError with a line for each problem: file, place, what is wrong
 */
export function loadTarget(file: string, env: Environment = process.env): Target {
  return parseTarget(readYamlFile(file), env, file);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const looksLike = `looks like a variable; write "\${NAME}", without a default, or give the text itself by such a variable if it is meant as it is`;

/** The shell replaces the variables of a hook. So no secret is in a command line, which other users can see. */
const withoutHooks = (value: unknown) => (isRecord(value) ? { ...value, hooks: undefined } : value);
