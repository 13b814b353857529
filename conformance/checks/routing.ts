import type { RefusalCase } from '../../spec/files/profile-schema.ts';
import { type CallOptions, type Check, check } from '../check.ts';
import { expectStatus, expectThat } from '../expect.ts';
import { errorCode, refusalPatch } from './error-body.ts';
import { legalCall } from './legal-calls.ts';

interface Misrouted {
  readonly refusal: RefusalCase;
  readonly words: string;
  readonly call: 'listLabels' | 'startSiteFileUpload';
  readonly change: CallOptions;
  readonly expected: number;
}

const misrouted: readonly Misrouted[] = [
  {
    refusal: 'unknown-path',
    words: 'a path that no operation has',
    call: 'listLabels',
    change: { path: '/v1/partnerkit-no-such-path' },
    expected: 404,
  },
  {
    refusal: 'wrong-method',
    words: 'another method on a known path',
    call: 'listLabels',
    // Whoever does serve it can hardly take it for an order to do something.
    change: { method: 'PATCH' },
    expected: 405,
  },
  {
    refusal: 'not-json',
    words: 'a body that is not declared as JSON',
    call: 'startSiteFileUpload',
    change: { headers: { 'content-type': 'text/plain' } },
    expected: 415,
  },
];

/** What a deployment answers to requests that lead nowhere: open questions, all of them. */
export const routing: readonly Check[] = misrouted.map(({ refusal, words, call: id, change, expected }) => {
  const legal = legalCall(id);
  return check({
    id: `errors/routing/${refusal}`,
    rule: 'errors/routing',
    title: `what ${words} is answered with`,
    needs: legal.needs,
    uses: [id],
    async run({ call, given, newId, observe }) {
      const reply = await call(id, { ...legal.options(given, newId), ...change });
      observe(`answered ${reply.status} ${errorCode(reply) ?? ''}`.trim(), refusalPatch(refusal, reply));
      expectStatus(reply, [expected], words);
      if (refusal === 'wrong-method') expectThat(reply, reply.headers.allow !== undefined, 'Allow', 'no Allow header');
    },
  });
});
