import { type Law, lawOfReplies } from './law.ts';

/** The key and where it stands. */
export const auth: readonly Law[] = [
  lawOfReplies({
    rule: 'auth/no-key-is-403',
    title: 'a request without a key is answered 403, whatever was asked',
    applies: ({ credential, operation }) =>
      (credential === 'none' || credential === 'empty') && operation !== 'storage' && operation !== null,
    judge: ({ status }) => (status === 403 ? null : { expected: '403', observed: `${status}` }),
  }),
];
