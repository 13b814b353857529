import type { Mock } from '../create-mock.ts';
import { missing } from '../mock-error.ts';
import { servedOpenapi } from './served-openapi.ts';

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
}

/** All operations of a mock, in an order in which each succeeds. Every format is written from this. */
export type Collection = ReturnType<typeof collectionOf>;

/** The contract gives its examples a name, because Specmatic pairs those of a request and a reply by it. */
interface NamedExamples {
  readonly typical?: { readonly value: unknown };
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples?: NamedExamples }>> };
  readonly responses: object;
}

const apiKey = { 'x-api-key': '{{apiKey}}' };
const json = { 'content-type': 'application/json' };
/** The kind of file that the contract's example uploads. */
const contentType = 'image/jpeg';

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
};

const throttled: CollectionRequest = {
  id: 'throttled',
  name: 'An example of a 429',
  description: 'Prefer: code=429 forces this reply. The request takes no token from the bucket.',
  method: 'GET',
  url: '{{baseUrl}}/v1/labels',
  headers: { ...apiKey, prefer: 'code=429' },
  body: null,
  status: 429,
  keeps: [],
};

/**
 * The collection of a tenant. The mock's address and the tenant's ids and key are variables.
 * @param tenant by default the first one
 * @throws MockError if there is no such tenant
 */
export function collectionOf(mock: Mock, baseUrl: string, tenant = mock.tenants.keys().next().value ?? '') {
  if (!mock.tenants.has(tenant)) missing(`there is no tenant ${tenant}`);
  const { paths, components } = servedOpenapi(mock, baseUrl, tenant);
  const variables: Record<string, string> = { baseUrl, apiKey: documentedSecret(mock, tenant) };
  const folders: Record<string, CollectionRequest[]> = {};
  for (const [template, item] of Object.entries(paths)) {
    // The type of the document has another form for each path.
    const { parameters = [], ...operations } = item as { readonly parameters?: readonly { readonly $ref: string }[] };
    let path: string = template;
    for (const { $ref } of parameters) {
      const parameter = $ref.replace(/^.*\//, '');
      const { name, examples } = components.parameters[parameter] as { name: string; examples: NamedExamples };
      const variable = parameter.charAt(0).toLowerCase() + parameter.slice(1);
      variables[variable] = String(examples.typical?.value ?? '');
      path = path.replace(`{${name}}`, `{{${variable}}}`);
    }
    for (const [method, operation] of Object.entries<Operation>(operations)) {
      const [name] = operation.tags;
      folders[name] ??= [];
      const folder = folders[name];
      folder.push(requestOf(method.toUpperCase(), `{{baseUrl}}${path}`, operation));
      if (operation.operationId === 'startSiteFileUpload') folder.push(bytesOfFile);
    }
  }
  folders['rate limit'] = [throttled];
  return {
    name: `Partner API, tenant ${tenant}`,
    variables,
    folders: Object.entries(folders).map(([name, requests]) => ({ name, requests })),
  };
}

/** The secret of the usable key with the most scopes. Only one that a fixture file documents may be shown; else it is empty. */
function documentedSecret({ keys }: Mock, tenant: string): string {
  const usable = keys.list(tenant).filter((key) => !key.revoked && keys.documentedSecretOf(key) !== undefined);
  const [widest] = usable.sort((a, b) => b.scopes.length - a.scopes.length);
  return (widest && keys.documentedSecretOf(widest)) ?? '';
}

function requestOf(method: string, url: string, operation: Operation): CollectionRequest {
  const { operationId: id, summary, description = '', requestBody, responses } = operation;
  const example = requestBody?.content['application/json']?.examples?.typical?.value;
  const value =
    id === 'startSiteFileUpload'
      ? { contentType }
      : id === 'registerSiteFile'
        ? { ...(example as object), fileKey: '{{fileKey}}' }
        : example;
  return {
    id,
    name: summary,
    description: description.trim(),
    method,
    url,
    headers: value === undefined ? apiKey : { ...apiKey, ...json },
    body: value === undefined ? null : JSON.stringify(value),
    status: Number(Object.keys(responses).find((status) => status.startsWith('2')) ?? 200),
    keeps: id === 'startSiteFileUpload' ? ['fileKey', 'uploadUrl'] : [],
  };
}
