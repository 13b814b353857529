import type { Mock } from '../../create-mock.ts';
import { MockError } from '../../mock-error.ts';
import { servedOpenapi } from '../served-openapi.ts';
import { usableKeys } from './usable-keys.ts';

/** One request. In every text `{{name}}` stands for a variable, as it does in Postman, Bruno and `.http` files. */
export interface CollectionRequest {
  /** Letters, digits and hyphens. Unique in the collection. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly status: number;
  /** Fields of the reply that later requests need. Each is stored in a variable of the same name. */
  readonly keeps: readonly string[];
  /** How many more requests a script sends at once, so that the key's bucket refuses some of them. */
  readonly flood: number;
}

/** All operations of a mock, in an order in which each succeeds. Every format is written from this. */
export interface Collection {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly folders: readonly { readonly name: string; readonly requests: readonly CollectionRequest[] }[];
}

/** The contract gives its examples a name, because Specmatic pairs those of a request and a reply by it. */
interface NamedExamples {
  readonly typical?: { readonly value: unknown };
}
interface Content {
  readonly 'application/json'?: { readonly examples?: NamedExamples };
}
interface OpenapiOperation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, unknown>>;
}
interface PathItem extends Readonly<Record<string, unknown>> {
  readonly parameters?: readonly { readonly $ref: string }[];
}

/**
 * The collection of a tenant. The mock's address and the tenant's ids and keys are variables.
 * @param tenant by default the first one
 * @throws MockError if there is no such tenant
 */
export function collectionOf(mock: Mock, baseUrl: string, tenant = mock.tenants.keys().next().value ?? ''): Collection {
  if (!mock.tenants.has(tenant)) throw new MockError('missing', `there is no tenant ${tenant}`);
  const { paths, components } = servedOpenapi(mock, baseUrl, tenant);
  const keys = usableKeys(mock, tenant);
  const variables: Record<string, string> = { baseUrl, apiKey: keys.widest, limitedKey: keys.limited };
  const requests: (CollectionRequest & { readonly folder: string })[] = [];
  for (const [template, item] of Object.entries<PathItem>(paths)) {
    let path = template;
    for (const { $ref } of item.parameters ?? []) {
      const parameter = $ref.split('/').at(-1) ?? '';
      const { name, examples } = components.parameters[parameter] as { name: string; examples: NamedExamples };
      const variable = parameter.charAt(0).toLowerCase() + parameter.slice(1);
      variables[variable] = String(examples.typical?.value ?? '');
      path = path.replace(`{${name}}`, `{{${variable}}}`);
    }
    for (const [method, operation] of Object.entries(item)) {
      if (method === 'parameters') continue;
      const { tags, ...known } = operation as OpenapiOperation;
      requests.push({ ...requestOf(method.toUpperCase(), path, known), folder: tags[0] });
      if (known.operationId === 'startSiteFileUpload') requests.push({ ...bytesOfFile, folder: tags[0] });
    }
  }
  for (const request of overTheRate(keys.burst)) requests.push({ ...request, folder: 'rate limit' });
  const folders = Map.groupBy(requests, ({ folder }) => folder);
  return {
    name: `Partner API, tenant ${tenant}`,
    variables,
    folders: [...folders].map(([name, all]) => ({ name, requests: all.map(({ folder: _, ...request }) => request) })),
  };
}

const apiKey = { 'x-api-key': '{{apiKey}}' };
const json = { 'content-type': 'application/json' };
/** The kind of file that the contract's example uploads. */
const contentType = 'image/jpeg';

function requestOf(method: string, path: string, operation: Omit<OpenapiOperation, 'tags'>): CollectionRequest {
  const { operationId: id, summary, description = '', requestBody, responses } = operation;
  const [status = '200'] = Object.keys(responses).filter((each) => each.startsWith('2'));
  const body = bodyOf(id, requestBody?.content['application/json']?.examples?.typical?.value);
  return {
    id,
    name: summary,
    description: description.trim(),
    method,
    url: `{{baseUrl}}${path}`,
    headers: body === null ? apiKey : { ...apiKey, ...json },
    body,
    status: Number(status),
    keeps: id === 'startSiteFileUpload' ? ['fileKey', 'uploadUrl'] : [],
    flood: 0,
  };
}

function bodyOf(id: string, example: unknown): string | null {
  if (id === 'startSiteFileUpload') return JSON.stringify({ contentType });
  if (id === 'registerSiteFile') return JSON.stringify({ ...(example as object), fileKey: '{{fileKey}}' });
  return example === undefined ? null : JSON.stringify(example);
}

const bytesOfFile: CollectionRequest = {
  id: 'putSiteFile',
  name: 'Send the bytes',
  description:
    'The second of three steps. The address comes from the first step, needs no key, and expires after five minutes. Content-Type must be the one of the first step.',
  method: 'PUT',
  url: '{{uploadUrl}}',
  headers: { 'content-type': contentType },
  body: 'The bytes of a picture.',
  status: 200,
  keeps: [],
  flood: 0,
};

/** A click in an API client must not start a load test, so no script sends more requests at once. */
const maxFlood = 200;

function overTheRate(burst: number): CollectionRequest[] {
  const listLabels = { method: 'GET', url: '{{baseUrl}}/v1/labels', body: null, keeps: [] };
  const asked: CollectionRequest = {
    ...listLabels,
    id: 'throttled',
    name: 'An example of a 429',
    description: 'Prefer: code=429 forces this reply. The request takes no token from the bucket.',
    headers: { ...apiKey, prefer: 'code=429' },
    status: 429,
    flood: 0,
  };
  const flood = 2 * burst;
  if (flood > maxFlood) return [asked];
  const flooding: CollectionRequest = {
    ...listLabels,
    id: 'flood',
    name: 'A 429 from the rate limit',
    description: `Sends ${flood} requests at once with a key whose bucket holds ${burst}. Some of them get 429 with Retry-After.`,
    headers: { 'x-api-key': '{{limitedKey}}' },
    status: 200,
    flood,
  };
  return [asked, flooding];
}
