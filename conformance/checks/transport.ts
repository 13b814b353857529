import { operations } from '../../spec/operations.ts';
import { type Check, check } from '../check.ts';
import { counted } from '../counted.ts';
import { expectControl, expectSuccess, expectThat, statusOf } from '../expect.ts';
import type { FactName } from '../facts.ts';
import { membershipOf } from '../membership.ts';
import { Unexpected } from '../outcome.ts';
import { type Reply, succeeded } from '../reply.ts';
import { endpointReplies } from './endpoint-replies.ts';
import { labelPlaces, legalCall, legalCalls } from './legal-calls.ts';

function expectJson(reply: Reply): void {
  const observed = reply.text === '' ? 'an empty body' : 'a body that is not JSON';
  expectThat(reply, reply.json !== undefined, 'a body that is JSON', `${observed}, status ${reply.status}`);
}

const successes: readonly Check[] = [
  ...legalCalls
    .filter(({ neverSucceeds }) => !neverSucceeds)
    .map((legal) =>
      check({
        id: `transport/json/${legal.slug}`,
        rule: 'transport/json-both-ways',
        title: `success is answered in JSON: ${operations[legal.id].summary.toLowerCase()}`,
        needs: legal.needs,
        uses: [legal.id],
        async run({ call, given, newId, shared, observe }) {
          const reply = await shared(`legal/${legal.slug}`, () => call(legal.id, legal.options(given, newId)));
          if (legal.optional && !succeeded(reply)) observe(`nothing to judge: ${statusOf(reply)}`);
          else {
            expectControl(reply, 'a lawful request');
            expectJson(reply);
          }
        },
      }),
    ),
  ...labelPlaces.map((place) =>
    check({
      id: `transport/json/${place.slug}-labels`,
      rule: 'transport/json-both-ways',
      title: `applying and removing a label of a ${place.slug} is answered in JSON`,
      needs: [place.fact, 'spareLabel'],
      uses: [place.apply, place.remove],
      locks: [place.fact],
      writes: 'labels',
      async run({ call, given, borrow }) {
        const holder = place.holder(given);
        const { apply, remove, params } = membershipOf(holder, given.spareLabel.id);
        for (const id of [remove, apply]) {
          if (id === apply) await borrow(holder, given.spareLabel.id);
          const reply = await call(id, { params });
          expectControl(reply, 'a lawful request');
          expectJson(reply);
        }
      },
    }),
  ),
];

const start = legalCall('startSiteFileUpload');
const body = '{\n  "contentType": "text\\u002fplain"\n}\n';

/** JSON as we write it, as others may, with white space and escapes, and declared with its charset. */
const requests = [
  { slug: 'plain', text: '{"contentType":"text/plain"}', contentType: 'application/json' },
  { slug: 'spaced-and-escaped', text: body, contentType: 'application/json' },
  { slug: 'with-charset', text: body, contentType: 'application/json; charset=utf-8' },
].map(({ slug, text, contentType }) =>
  check({
    id: `transport/json-request/${slug}`,
    rule: 'transport/json-both-ways',
    title: `a request body is taken as JSON: ${slug.replaceAll('-', ' ')}`,
    needs: start.needs,
    uses: [start.id],
    async run({ call, given, newId, deployment }) {
      const headers = { 'content-type': contentType };
      const reply = await call(start.id, { ...start.options(given, newId), body: text, headers });
      expectSuccess(reply, deployment, 'any well-formed JSON is understood');
    },
  }),
);

const notJson = check({
  id: 'transport/json-request/malformed',
  rule: 'transport/json-both-ways',
  title: 'a body that is not JSON does not pass for it',
  needs: start.needs,
  uses: [start.id],
  async run({ call, given, newId }) {
    expectControl(await call(start.id, start.options(given, newId)), 'the same request in JSON');
    for (const text of ['{"contentType": "text/plain"', "{contentType: 'text/plain'}"]) {
      const reply = await call(start.id, { ...start.options(given, newId), body: text });
      expectThat(reply, !succeeded(reply), 'malformed JSON is not taken', `answered ${reply.status}`);
    }
  },
});

const nothing: readonly FactName[] = [];

const everyReply: readonly Check[] = [
  check({
    id: 'transport/json/every-reply',
    rule: 'transport/json-both-ways',
    title: 'every successful reply of the run is JSON, those of the storage aside',
    needs: nothing,
    uses: ['listLabels'],
    after: 'everything',
    async run({ call, replies, deployment, observe }) {
      // Alone too this check has something to judge.
      await call('listLabels');
      const judged = endpointReplies(replies(), deployment).filter(succeeded);
      for (const reply of judged) expectJson(reply);
      observe(`${counted(judged.length, 'reply', 'replies')} judged`);
    },
  }),
  check({
    id: 'transport/json-content-type/every-reply',
    rule: 'transport/json-content-type',
    title: 'which Content-Type the JSON replies of the run have',
    needs: nothing,
    uses: ['listLabels'],
    after: 'everything',
    async run({ call, replies, deployment, observe, planning }) {
      await call('listLabels');
      const judged = endpointReplies(replies(), deployment).filter(({ json }) => json !== undefined);
      const types = new Set(judged.map(({ headers }) => headers['content-type'] ?? 'none'));
      observe([...types].sort().join(', ') || 'no replies');
      const odd = [...types].filter((type) => !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type));
      if (odd.length > 0 && !planning) throw new Unexpected('application/json', odd.join(', '));
    },
  }),
];

/** JSON both ways. */
export const transport: readonly Check[] = [...successes, ...requests, notJson, ...everyReply];
