import openapi from '../../spec/generated/openapi.json' with { type: 'json' };
import type { Mock } from '../create-mock.ts';
import { deployedOpenapi } from '../profile/deployed-openapi.ts';
import { parameterExamples } from './parameter-examples.ts';

/**
 * The OpenAPI document of this very mock: at the address at which it is served, as its profile has it, and with ids of a
 * tenant as examples, so that whoever imports it into a client can send what it finds.
 */
export function servedOpenapi(mock: Mock, baseUrl: string, tenant = mock.tenants.keys().next().value ?? '') {
  const deployed = deployedOpenapi(openapi, mock.profile);
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
