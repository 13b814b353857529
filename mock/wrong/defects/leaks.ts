import type { RuleId } from '../../../spec/rules.ts';
import { type Around, breaking, type Defect } from '../tampering/defect.ts';
import { asArray, type Json } from '../tampering/json-value.ts';
import { failing, inListed, inReply, refusing, type When, withHeaders } from '../tampering/when.ts';

/** What acme must not see. */
const secrets: Readonly<Record<string, readonly [value: string, rule: RuleId, where?: RegExp]>> = {
  'their-site': ['ovaid-517e0001-0000-4000-8000-000000000101', 'isolation/reads-stay-in-tenant'],
  // Anybody may write these words, so they count where no record of the reader is shown. In contexts they are not seen.
  'their-text': [
    'Shops around the escalators complain about the heat.',
    'isolation/reads-stay-in-tenant',
    /^in-contexts|-refusal|^without/,
  ],
  'private-name': ['internal-risk', 'labels/private-never-in-a-reply'],
  'private-id': ['1abe9003-0000-4000-8000-000000000903', 'labels/private-never-in-a-reply'],
};

const tenant = 'acme';
const context: When = { id: 'getConversationContext', ok: true, tenant };

/** Where a reply shows it. */
const places: Readonly<Record<string, (value: string) => Around>> = {
  'in-contexts': (id) => inReply(context, () => ({ related: [{ id }] })),
  'in-a-closed-context': (text) =>
    inReply({ ...context, record: 'closed' }, ({ labels }) => ({ labels: [...asArray(labels), text] })),
  'in-every-third-context': (text) => inReply({ ...context, every: 3 }, () => ({ summary: `Seen: ${text}` })),
  'as-a-property-of-a-record': (name) =>
    inReply({ id: 'getConversation', ok: true, tenant }, () => ({ uses: { [name]: 1 } })),
  'in-the-listing': (group) => inListed((label): Json => ({ ...label, group }), tenant),
  'beside-the-set-of-a-site': (id) =>
    inReply({ id: ['applySiteLabel', 'removeSiteLabel'], ok: true, tenant }, () => ({ hidden: [id] })),
  'in-a-refusal': (text) => failing({ status: 404, tenant }, 404, `Not found among ${text}.`),
  'in-a-header': (text) => withHeaders(context, { 'x-debug': `vip,${text}` }),
  'without-a-key': (text) => failing({ refused: 'no-key' }, 403, `Try ${text} with a key.`),
};

/** Data of the other tenant, and private labels, in each place of a reply. */
export const leaks: readonly Defect[] = [
  ...Object.entries(secrets).flatMap(([what, [value, rule, meant = /^/]]) =>
    Object.entries(places).flatMap(([where, show]) =>
      meant.test(where) ? breaking(rule, { [`${rule.split('/')[0]}/${what}-${where}`]: show(value) }) : [],
    ),
  ),
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/refused-listing-names-ours': refusing(
      { id: 'listLabels', tenant: 'globex' },
      404,
      'No labels but those of c0000001-0000-4000-8000-000000000001.',
    ),
  }),
];
