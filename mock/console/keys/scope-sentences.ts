import { scopes } from '../../../spec/operations.ts';

/** What each scope permits. */
export const sentences: Readonly<Record<string, string>> = {
  'conversation:read': 'Read conversations and their context.',
  'conversation:write': 'Put public labels on conversations and take them off.',
  'client:read': 'Read clients.',
  'client:write': 'Together with site:write, put public labels on client-site links and take them off.',
  'site:read': 'Read sites.',
  'site:write': 'Put public labels on sites and take them off.',
  'siteFile:write': 'Upload files and register them on sites.',
  'user:read': 'Read users. No operation needs it yet.',
};

/** Every scope with a sentence on what it permits. */
export const scopeSentences = scopes.map((scope) => ({ scope, sentence: sentences[scope] ?? '' }));
