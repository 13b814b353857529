import { asArray, each, type Json } from '../../../mock/wrong/tampering/json-value.ts';
import { inReply, type When } from '../../../mock/wrong/tampering/when.ts';
import { described, saying, seeded, strangers } from './stranger.ts';

export const context: When = { id: 'getConversationContext', ok: true };
const set: When = { ok: true, where: ({ id }) => /^(apply|remove)/.test(id ?? '') };
export const record: When = { ok: true, where: ({ id }) => /Label/.test(id ?? '') };

/** Other names of labels, in the deployment and in its target file. */
export const names = (to: Readonly<Record<string, string>>) =>
  seeded((text) =>
    Object.entries(to).reduce((all, [old, name]) => all.replaceAll(`"${old}"`, JSON.stringify(name)), text),
  );
export const told = (text: string): Json => ({
  author: 'Desk',
  role: 'agent',
  createdAt: '2026-11-20T08:00:00Z',
  text,
  rawBody: text,
});
export const byName = 'contexts show names, and two labels have the same one';

/** Other data. Names, texts, order and further fields are left open by the specification. */
export const data = strangers({
  'everyday-names': ['has spare labels called agent and open', names({ spare: 'agent', 'second spare': 'open' })],
  'odd-names': [
    'has spare labels with quotes, markup, an emoji and two hundred characters',
    names({ spare: 'späre "x" <b>&amp;</b> \\ 🔧', 'second spare': `long ${'name '.repeat(40)}end` }),
  ],
  'two-of-one-name': [
    'has two spare labels of one name',
    {
      around: saying((body) => body.replaceAll('"second spare"', '"spare"')),
      target: described((text) => text.replaceAll('second spare', 'spare')),
    },
    byName,
  ],
  'one-catalogue': [
    'has one catalogue of public labels for both tenants',
    seeded((text) => text.replace(/(1abe1\d{3}-0000-4000-8000-0000000)001/g, '$1000')),
  ],
  templates: [
    'begins conversations of both tenants with the same texts, from templates',
    inReply(context, ({ messages }) => ({
      subject: 'Annual maintenance visit for your heating system',
      messages: [
        told('Thank you for choosing our annual maintenance plan for your heating system.'),
        ...asArray(messages),
      ],
    })),
  ],
  'empty-lists': [
    'has no messages, sites and participants',
    inReply(context, () => ({ messages: [], sites: [], participants: { agents: [], clients: [] } })),
  ],
  'ids-of-memberships': [
    'answers sets of memberships with ids of their own, beside labelId',
    inReply(set, ({ labels }) => ({
      labels: each(labels, ({ id = '', name = '' }, i) => ({
        id: `aaaa0001-0000-4000-8000-00000000000${i}`,
        labelId: id,
        name,
      })),
    })),
  ],
  'private-word-in-a-summary': [
    'has a summary in which somebody wrote the name of a private label',
    seeded((text) => text.replaceAll('"Client shut the water off', '"See internal-risk: client shut the water off')),
  ],
});
