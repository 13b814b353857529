import { check } from '../check.ts';
import { expectControl, expectStatus } from '../expect.ts';

/** The key and where it stands. Pairs: with the key the request succeeds, so that its refusal without is the key's doing. */
export const auth = [
  check({
    id: 'auth/no-key',
    rule: 'auth/no-key-is-403',
    title: 'a request without a key is answered with 403',
    needs: ['openConversation'],
    uses: ['getConversationContext'],
    async run({ call, given }) {
      const params = { id: given.openConversation };
      expectControl(await call('getConversationContext', { params }), 'the same request with a key');
      const reply = await call('getConversationContext', { params, as: null });
      expectStatus(reply, [403], 'a request without a key is refused');
    },
  }),
];
