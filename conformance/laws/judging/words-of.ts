import { operations } from '../../../spec/operations.ts';
import type { Credential, Exchange } from '../../history/exchange.ts';

const credentialWords: Readonly<Record<Credential, string>> = {
  key: '',
  none: 'without a key',
  empty: 'with an empty x-api-key',
  unknown: 'with a key that does not exist',
  'part-of-a-key': 'with a key without its last character',
  'other-case': 'with a key in other letter case',
  bearer: 'with a key as Bearer token',
  basic: 'with a key as Basic credentials',
  authorization: 'with a key in Authorization',
  query: 'with a key in the query string',
  cookie: 'with a key in a cookie',
  'other-header': 'with a key in another header',
  elsewhere: 'with a key in the query string, in a cookie and in other headers',
  replaced: 'with the secret that a key had before it was regenerated',
};

/** The operation and the key, as in `get a site by acme/full`. */
export function wordsOf({ operation, credential, key, method }: Exchange): string {
  const what =
    operation === null || operation === 'storage' ? method : operations[operation].summary.replace(/^./, lower);
  return `${what} ${credential === 'key' ? `by ${key}` : credentialWords[credential]}`;
}

const lower = (letter: string) => letter.toLowerCase();
