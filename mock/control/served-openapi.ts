import openapi from '../../spec/generated/openapi.json' with { type: 'json' };
import type { Mock } from '../create-mock.ts';
import { deployedOpenapi } from '../profile/deployed-openapi.ts';
import { parameterExamples } from './parameter-examples.ts';

/**
 * The OpenAPI document of this very mock: at the address at which it is served, as its profile has it, and with ids of a
 * tenant as examples, so that whoever imports it into a client can send what it finds.
 */
export function servedOpenapi(mock: Mock, baseUrl: string, tenant = mock.tenants.keys().next().value ?? '') {
  const deployed = at(baseUrl, deployedOpenapi(openapi, mock.profile));
  const { components } = deployed;
  const examples = parameterExamples(mock, tenant);
  const parameters = Object.entries(components.parameters).map(([name, parameter]) => {
    const example = examples[name];
    return [name, example === undefined ? parameter : { ...parameter, example }];
  });
  return {
    ...deployed,
    servers: [{ url: baseUrl, description: 'This mock.' }],
    components: { ...components, parameters: Object.fromEntries(parameters) },
  };
}

/** Examples that name the address of the contract name this one. */
function at<T>(baseUrl: string, document: T): T {
  const inJson = (url: string) => JSON.stringify(`${url}/`).slice(1, -1);
  const own = openapi.servers[0]?.variables.base_url.default ?? '';
  return JSON.parse(JSON.stringify(document).replaceAll(inJson(own), inJson(baseUrl)));
}

const exampleKey = openapi.paths['/v1/site/{id}/file'].post.requestBody.content['application/json'].example.fileKey;

/** The document with a registration that works, too: bytes wait for it, and once they are registered others do. */
export async function servedOpenapiWithUpload(mock: Mock, baseUrl: string) {
  const document = servedOpenapi(mock, baseUrl);
  const [tenant] = mock.tenants.keys();
  const { SiteId: site } = parameterExamples(mock, tenant ?? '');
  if (tenant === undefined || site === undefined) return document;
  const text = JSON.stringify(document).replaceAll(exampleKey, await mock.files.example(tenant, site));
  return JSON.parse(text) as typeof document;
}
