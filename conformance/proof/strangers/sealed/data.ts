import { asArray, each, objectOf, withProperties } from '../../../../mock/proof/tampering/json-value.ts';
import { seededRandom } from '../../../../spec/random.ts';
import { inReply, onReplyTo } from '../../tampering/when.ts';
import { byName, context, names, record, told } from '../data.ts';
import { described, saying, strangers } from '../stranger.ts';

export const data = strangers({
  'names-within-names': [
    'has labels called heat, heat pump, pump and heat pump defect',
    names({ spare: 'heat', 'second spare': 'heat pump', warranty: 'pump', vip: 'heat pump defect' }),
  ],
  'private-like-a-carried-one': [
    'has a public label that records carry, with the name of a private one',
    saying((body) => body.replaceAll('"vip"', '"internal-risk"')),
    byName,
  ],
  'private-like-the-spare': [
    'has private labels with the name of the spare label',
    { target: described((text) => text.replace(/"(internal-risk|churn-suspect|payment-watchlist)"/g, '"spare"')) },
    byName,
  ],
  'no-order': [
    'lists labels in another order at each reply',
    (scene) => {
      const random = seededRandom(8);
      return inReply({ ...record, id: undefined }, ({ labels }) => {
        const order = asArray(labels).map((one) => ({ one, at: random() }));
        return { labels: order.sort((a, b) => a.at - b.at).map(({ one }) => one) };
      })(scene);
    },
  ],
  'pages-of-three': [
    'lists labels in pages of three, and the last page is empty',
    onReplyTo({ id: 'listLabels', ok: true }, ({ reply, request }) => {
      const from = Number(new URL(request.url, 'http://x').searchParams.get('cursor') ?? 0);
      const labels = asArray(objectOf(reply).labels);
      const nextCursor = from < labels.length ? String(from + 3) : null;
      return withProperties(reply, { labels: labels.slice(from, from + 3), nextCursor });
    }),
  ],
  live: [
    'has conversations whose status, urgency and requester change at each read',
    (scene) => {
      let reads = 0;
      return inReply({ ok: true, id: ['getConversationContext', 'getConversation'] }, () => ({
        status: ['open', 'waiting', 'in progress'][++reads % 3],
        urgency: ['low', 'high'][reads % 2],
        requester: `Caller ${reads % 7}`,
      }))(scene);
    },
  ],
  huge: [
    'has five hundred messages in each context',
    inReply(context, (_, { params }) => ({
      messages: Array.from({ length: 500 }, (_, i) => told(`${i}: the technician was at ${params.id}, and it runs.`)),
    })),
  ],
  'ids-as-uuid': [
    'gives label records a number as id, and the id for paths as uuid',
    {
      options: () => ({ profile: { shapes: { label: { id: 'uuid', name: 'title' } } } }),
      around: inReply(record, ({ labels }) => ({ labels: each(labels, (label, i) => ({ id: 40 + i, ...label })) })),
    },
  ],
  'contexts-with-more': [
    'adds to contexts all labels that could be put on, and who put what on',
    inReply(context, ({ labels }, { mock, key }) => {
      const all = [...mock.tenant(key?.tenant ?? '').publicLabels.values()];
      const labelHistory = asArray(labels).map((label) => ({ label, by: 'Maya Lindqvist' }));
      return {
        availableLabels: all.map(({ name }) => name),
        catalogue: all.map(({ id, name }) => ({ id, name })),
        labelHistory,
      };
    }),
  ],
});
