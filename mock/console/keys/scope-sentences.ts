import { operationList, scopes } from '../../../spec/operations.ts';

const sentences: Readonly<Record<string, string>> = {
  'conversation:read': 'Read conversations and what surrounds them.',
  'conversation:write': 'Put public labels on conversations and take them off.',
  'client:read': 'Read clients.',
  'client:write': 'Together with site:write: label the link between a client and a site.',
  'site:read': 'Read sites.',
  'site:write': 'Put public labels on sites and take them off.',
  'siteFile:write': 'Upload files and register them on sites.',
  'user:read': 'Read users; no operation asks for it yet.',
};

/** Every scope with what it allows in a sentence, and the operations that ask for it. */
export const scopeSentences = scopes.map((scope) => ({
  scope,
  sentence: sentences[scope] ?? '',
  operations: operationList.filter((operation) => operation.scopes.includes(scope)).map(({ id }) => id),
}));
