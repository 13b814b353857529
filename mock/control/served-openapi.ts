import openapi from '../../spec/generated/openapi.json' with { type: 'json' };
import type { Mock } from '../create-mock.ts';
import { deployedOpenapi } from '../profile/contract.ts';
import { targetTenantOf } from './target-of.ts';

/**
 * The OpenAPI document of this mock, with its address, its profile, and ids of a tenant as examples. An API client that
 * imports the document can send the examples.
 */
export function servedOpenapi(mock: Mock, baseUrl: string, tenant = firstOf(mock)) {
  const deployed = withBaseUrl(baseUrl, deployedOpenapi(openapi, mock.profile));
  const { components } = deployed;
  const examples = parameterExamples(mock, tenant);
  const parameters = Object.entries(components.parameters).map(([name, parameter]) => {
    const example = examples[name];
    return [name, example === undefined ? parameter : { ...parameter, examples: { typical: { value: example } } }];
  });
  return {
    ...deployed,
    servers: [{ url: baseUrl, description: 'This mock.' }],
    components: { ...components, parameters: Object.fromEntries(parameters) },
  };
}

const firstOf = ({ tenants }: Mock) => tenants.keys().next().value ?? '';

/** An id of the tenant for each path parameter, by the parameter's name in the contract's `components`. */
function parameterExamples(mock: Mock, name: string): Readonly<Record<string, string | undefined>> {
  const tenant = mock.tenants.get(name);
  if (tenant === undefined) return {};
  const { conversations, sites, clientSite, spareLabel } = targetTenantOf(mock, tenant);
  return {
    ConversationId: conversations?.open ?? tenant.records.conversations.keys().next().value,
    SiteId: clientSite?.site ?? sites?.current ?? sites?.legacy,
    ClientId: clientSite?.client ?? tenant.records.clients.keys().next().value,
    LabelId: spareLabel?.id ?? tenant.records.publicLabels.keys().next().value,
    ClientIdOfLink: clientSite?.client,
    SiteIdOfLink: clientSite?.site,
  };
}

/** Replaces the contract's address in examples by the address of the mock. */
function withBaseUrl<T>(baseUrl: string, document: T): T {
  const inJson = (url: string) => JSON.stringify(`${url}/`).slice(1, -1);
  const original = openapi.servers[0]?.variables.base_url.default ?? '';
  return JSON.parse(JSON.stringify(document).replaceAll(inJson(original), inJson(baseUrl)));
}

const exampleKey =
  openapi.paths['/v1/site/{id}/file'].post.requestBody.content['application/json'].examples.typical.value.fileKey;

/** The document with a registration example that works: it names a file whose bytes are stored but not registered. */
export async function servedOpenapiWithUpload(
  ...[mock, baseUrl, tenant = firstOf(mock)]: Parameters<typeof servedOpenapi>
) {
  const document = servedOpenapi(mock, baseUrl, tenant);
  const { SiteId: site } = parameterExamples(mock, tenant);
  if (site === undefined) return document;
  const text = JSON.stringify(document).replaceAll(exampleKey, await mock.files.example(tenant, site));
  return JSON.parse(text) as typeof document;
}
