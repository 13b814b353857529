import {
  asArray,
  asObject,
  errorWith,
  type Json,
  objectOf,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { as, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import { associating } from '../../tampering/associating.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import { elsewhere, otherOf } from '../../tampering/predicates.ts';
import { otherSpareFirst } from '../../tampering/targets.ts';
import { late, underLoad } from '../../tampering/timing.ts';
import { failing, inReply, onReplyTo, servedAfterAll, type When } from '../../tampering/when.ts';

const theirText = 'Shops around the escalators complain about the heat.';

const theirMessage = {
  author: 'Petra Novak',
  role: 'client',
  createdAt: '2026-11-15T10:12:00Z',
  text: theirText,
  isInternal: false,
  rawBody: theirText,
  attachments: [],
};

const ourContext: When = { id: 'getConversationContext', ok: true, tenant: 'acme' };

/** Data of one tenant in replies to the other, or to nobody. */
export const leaks: readonly Defect[] = [
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/message-of-theirs-in-closed-context': [
      'shows a message of the other tenant in the context of our closed conversation',
      inReply({ ...ourContext, record: 'closed' }, ({ messages }) => ({
        messages: [...asArray(messages), theirMessage],
      })),
    ],
    'isolation/their-text-in-a-summary': [
      "adds a similar conversation to ours, with the words of the other tenant's",
      inReply(ourContext, () => ({ similar: [{ text: `Seen before: ${theirText}` }] })),
    ],
    'isolation/their-text-now-and-then': [
      "answers every third read of our conversation with the other tenant's subject",
      inReply({ ...ourContext, every: 3 }, () => ({ subject: 'Escalator hall too warm' })),
    ],
    'isolation/their-message-after-a-write': [
      "shows a short message of the other tenant's conversation in a context that is read right after a write",
      (scene) => {
        const messages = new Map<string, Json>();
        let written = false;
        return onReply(({ id, ok, key, reply }) => {
          const wasWritten = written;
          if (id !== 'getConversationContext') written = ok && id?.includes('Label') === true && id !== 'listLabels';
          if (id !== 'getConversationContext' || !ok || key === undefined) return undefined;
          const own = asArray(objectOf(reply).messages);
          const short = { ...asObject(own[0]), author: `Al ${key.tenant}`, text: 'Yes.', rawBody: 'Yes.' };
          messages.set(key.tenant, short);
          const theirs = messages.get(otherOf(key.tenant));
          return withProperties(reply, {
            messages: [...own, short, ...(wasWritten && theirs !== undefined ? [theirs] : [])],
          });
        })(scene);
      },
    ],
    'isolation/their-text-in-a-refusal': failing(
      { id: 'getConversation', refused: elsewhere, tenant: 'acme' },
      404,
      '"Escalator hall too warm" is not yours.',
    ),
    'isolation/mixed-up-when-both-ask': [
      'answers both tenants with the same legacy site when both ask within 150 ms',
      fromCache({
        keeps: { id: 'getSite', ok: true, record: 'legacy' },
        answers: { id: 'getSite', ok: true, record: 'legacy' },
        milliseconds: 150,
        acrossTenants: true,
      }),
    ],
    'isolation/lists-a-label-that-is-theirs': [
      'lists labels of the other tenant, which cannot be put on',
      inReply({ id: 'listLabels', ok: true, tenant: 'acme' }, ({ labels }) => ({
        labels: [...asArray(labels), { id: '1abe1008-0000-4000-8000-000000000108', name: 'spare of theirs' }],
      })),
    ],
    'isolation/keyless-error-names-a-site': [
      'answers a missing key with an example of a site that is a real one',
      failing(
        { refused: 'no-key', id: 'getHealth' },
        403,
        'Try /v1/site/ovaid-517e0001-0000-4000-8000-000000000101 with a key.',
      ),
    ],
    'isolation/read-by-all-after-a-while': late(servedAfterAll('the other', { refused: elsewhere, method: 'GET' })),
    'isolation/refusal-lists-the-labels': [
      "answers 404 for another tenant's records, with ids of that tenant's labels as details",
      inReply({ refused: elsewhere, usable: true }, (_, { key, mock }) => ({
        debug: { labels: [...(mock.tenants.get(otherOf(key?.tenant))?.publicLabels.keys() ?? [])].slice(0, 2) },
      })),
    ],
    'isolation/refusal-names-the-subject': [
      "answers 404 for another tenant's conversation, with its subject in a header",
      onReplyTo({ refused: elsewhere }, ({ key, mock, reply, params }) => {
        const theirs = mock.tenants.get(otherOf(key?.tenant))?.conversations.get(params.id ?? '');
        return theirs && { ...reply, headers: { ...reply.headers, 'x-debug': theirs.seed.subject ?? '' } };
      }),
    ],
    'isolation/associates-a-conversation-of-the-other': [
      'joins associated conversations by street, whoever they belong to',
      associating(({ key, mock }) => {
        const [conversation] = mock.tenants.get(otherOf(key?.tenant))?.conversations.values() ?? [];
        const { friendlyId = '', subject = '', status = '', updatedAt = '' } = conversation?.seed ?? {};
        return { friendlyId, subject, status, statusLastUpdatedAt: updatedAt, shortSummary: subject };
      }),
    ],
    'isolation/associates-by-subject': [
      "joins associated conversations by subject, with the other tenant's among them and the time of the join",
      associating(({ key, mock }) => {
        const [conversation] = mock.tenants.get(otherOf(key?.tenant))?.conversations.values() ?? [];
        const { friendlyId = '', subject = '', status = '' } = conversation?.seed ?? {};
        return { friendlyId, subject, status, statusLastUpdatedAt: '2026-11-20T00:00:00Z', issue: '', resolution: '' };
      }),
    ],
    'isolation/requester-of-the-other-at-times': [
      "gives every fifth context the requester of the other tenant's",
      onReplyTo({ ...ourContext, every: 5 }, async ({ reply, mock, request, ask }) => {
        const url = '/v1/conversation/c0000001-0000-4000-8000-000000000101/context';
        const { requester = '' } = objectOf(await ask(as(mock, { ...request, url }, 'globex')));
        return withProperties(reply, { requester });
      }),
    ],
    'isolation/encoded-ids-of-the-other': [
      'does not recognise the owner of a record whose id is percent-encoded',
      servedAfterAll('the other', { refused: elsewhere, url: /%/ }),
    ],
    'isolation/tenant-of-a-header': [
      'takes the tenant from the header X-Tenant',
      servedAfterAll('the other', {
        refused: elsewhere,
        where: ({ request, key }) => request.headers['x-tenant'] === otherOf(key?.tenant),
      }),
    ],
    'isolation/read-by-all-under-load': underLoad(servedAfterAll('the other', { refused: elsewhere, method: 'GET' })),
  }),
  {
    id: 'isolation/refusal-names-a-label-of-theirs',
    breaks: 'isolation/reads-stay-in-tenant',
    does: "names the other tenant's label in the refusal to put it on",
    target: otherSpareFirst,
    around: onReply(({ id, params: { labelId = '' }, mock, key, reply }) => {
      const theirs = mock.tenants.get(otherOf(key?.tenant))?.records.labels.get(labelId);
      const isRefused = id?.startsWith('apply') && reply.status >= 400 && reply.status < 500;
      return isRefused && key && theirs
        ? errorWith(reply.status, 'NOT_FOUND', `"${theirs.name}" is not yours.`)
        : undefined;
    }),
  },
];
