import openapi from '../../spec/generated/openapi.json' with { type: 'json' };
import type { Mock } from '../create-mock.ts';
import { deployedOpenapi } from '../profile/deployed-openapi.ts';

/**
 * The OpenAPI document of this very mock: at the address at which it is served, as its profile has it, and with ids of its
 * first tenant as examples, so that whoever imports it into a client can send what it finds.
 */
export function servedOpenapi(mock: Mock, baseUrl: string) {
  const deployed = deployedOpenapi(openapi, mock.profile);
  const { components } = deployed;
  const examples = examplesOf(mock);
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

/** An id for each parameter of the document, by its name there. */
function examplesOf(mock: Mock): Readonly<Record<string, string | undefined>> {
  const [tenant] = mock.tenants.values();
  if (tenant === undefined) return {};
  const [conversation] = tenant.conversations.keys();
  const [link] = tenant.links.values();
  const [label] = tenant.publicLabels.keys();
  const site = link?.site ?? tenant.sites.keys().next().value;
  const client = link?.client ?? tenant.clients.keys().next().value;
  return {
    ConversationId: conversation,
    SiteId: site,
    ClientId: client,
    LabelId: label,
    ClientIdOfLink: link?.client,
    SiteIdOfLink: link?.site,
  };
}
