import openapi from '../../spec/generated/openapi.json' with { type: 'json' };
import type { Mock } from '../create-mock.ts';
import { deployedOpenapi } from '../profile/contract.ts';
import { targetTenantOf } from './target-of.ts';

/**
 * The OpenAPI document of this mock, with its address, its profile, and ids of a tenant as examples. An API client that
 * imports the document can send the examples. The registration names the newest upload that waits for it; before the first, none works.
 */
export function servedOpenapi(mock: Mock, baseUrl: string, tenant = firstOf(mock)) {
  const { fileKey = exampleKey, ...examples } = examplesOf(mock, tenant);
  const deployed = withOwn(baseUrl, fileKey, deployedOpenapi(openapi, mock.profile));
  const { components } = deployed;
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

const exampleKey =
  openapi.paths['/v1/site/{id}/file'].post.requestBody.content['application/json'].examples.typical.value.fileKey;

/** An id of the tenant for each path parameter, by the parameter's name in the contract's `components`, and the upload to register. */
function examplesOf(mock: Mock, name: string): Readonly<Record<string, string | undefined>> {
  const tenant = mock.tenants.get(name);
  if (tenant === undefined) return {};
  const waiting = mock.files.list(name).findLast(({ state }) => state === 'stored');
  const { conversations, sites, clientSite, spareLabel } = targetTenantOf(mock, tenant);
  return {
    ConversationId: conversations?.open ?? tenant.records.conversations.keys().next().value,
    SiteId: waiting?.site ?? clientSite?.site ?? sites?.current ?? sites?.legacy,
    ClientId: clientSite?.client ?? tenant.records.clients.keys().next().value,
    LabelId: spareLabel?.id ?? tenant.records.publicLabels.keys().next().value,
    ClientIdOfLink: clientSite?.client,
    SiteIdOfLink: clientSite?.site,
    fileKey: waiting?.fileKey,
  };
}

/** Replaces the contract's address and upload in examples by those of the mock. */
function withOwn<T>(baseUrl: string, fileKey: string, document: T): T {
  const inJson = (url: string) => JSON.stringify(`${url}/`).slice(1, -1);
  const original = openapi.servers[0]?.variables.base_url.default ?? '';
  return JSON.parse(
    JSON.stringify(document).replaceAll(inJson(original), inJson(baseUrl)).replaceAll(exampleKey, fileKey),
  );
}
