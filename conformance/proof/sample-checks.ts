import { check } from '../check.ts';
import { expectControl, expectStatus, expectThat } from '../expect.ts';
import { Inconclusive } from '../outcome.ts';

/** One check for every outcome there is: what reports have to show, in a handful of requests. */
export const sampleChecks = [
  check({
    id: 'auth/no-key',
    rule: 'auth/no-key-is-403',
    title: 'a request without a key is answered with 403',
    needs: ['openConversation'],
    uses: ['getConversationContext'],
    async run({ call, given }) {
      const params = { id: given.openConversation };
      expectControl(await call('getConversationContext', { params }), 'the same request with a key');
      expectStatus(await call('getConversationContext', { params, as: null }), [403], 'without a key');
    },
  }),
  check({
    id: 'auth/forbidden-body',
    rule: 'auth/forbidden-has-the-error-body',
    title: 'a refused key is answered with the error body',
    uses: ['listLabels'],
    async run({ call }) {
      const reply = await call('listLabels', { as: null });
      expectThat(reply, reply.text.includes('"teapot"'), 'the error body, with a teapot', reply.text);
    },
  }),
  check({
    id: 'labels/apply',
    rule: 'labels/conversation-apply',
    title: 'applying a label to a conversation answers with a 2xx',
    needs: ['openConversation', 'spareLabel'],
    uses: ['applyConversationLabel', 'removeConversationLabel'],
    locks: ['openConversation'],
    writes: 'labels',
    async run({ call, given, borrow }) {
      await borrow({ kind: 'conversation', id: given.openConversation }, given.spareLabel.id);
      const params = { id: given.openConversation, labelId: given.spareLabel.id };
      expectStatus(await call('applyConversationLabel', { params }), [200], 'applying a label succeeds');
    },
  }),
  check({
    id: 'upload/start',
    rule: 'upload/start-is-201',
    title: 'starting an upload answers with 201',
    needs: ['site'],
    uses: ['startSiteFileUpload'],
    async run({ call, put, given }) {
      const reply = await call('startSiteFileUpload', {
        params: { id: given.site },
        body: { contentType: 'text/plain' },
      });
      expectStatus(reply, [201], 'starting an upload');
      const { uploadUrl } = (reply.json ?? {}) as { uploadUrl?: string };
      if (uploadUrl !== undefined) await put(uploadUrl, 'text/plain', new TextEncoder().encode('bytes'));
    },
  }),
  check({
    id: 'errors/unknown',
    rule: 'errors/unknown-is-404',
    title: 'what an unknown conversation is answered with',
    uses: ['getConversation'],
    async run({ call, newId, observe }) {
      const reply = await call('getConversation', { params: { id: newId() } });
      observe(`an unknown conversation is answered with ${reply.status}`, {
        errors: { 'unknown-conversation': { status: reply.status } },
      });
    },
  }),
  check({
    id: 'context/any-field',
    rule: 'context/strings',
    title: 'the strings of a context are strings',
    uses: ['listLabels'],
    async run({ call }) {
      await call('listLabels');
      throw new Inconclusive('the control failed: nothing could be told');
    },
  }),
  check({
    id: 'isolation/legacy-site',
    rule: 'ids/legacy-site-id-works',
    title: 'a legacy site can be used',
    needs: ['legacySite'],
    async run() {},
  }),
  check({
    id: 'limits/broken',
    rule: 'limits/below-10mb-passes',
    title: 'a check that breaks',
    async run() {
      // Its own stack, as lines of code move.
      throw Object.assign(new TypeError('a mistake of ours'), { stack: 'TypeError: a mistake of ours\n    at sample' });
    },
  }),
  check({
    id: 'upload/leaves-a-file',
    rule: 'upload/register-takes-file-key',
    title: 'registering a file',
    writes: 'leftovers',
    async run() {},
  }),
];
