import {
  asArray,
  asObject,
  errorWith,
  type Json,
  objectOf,
  withJson,
} from '../../../mock/proof/tampering/json-value.ts';
import { associating } from '../tampering/associating.ts';
import { inReply, onReplyTo, recognisingKeysInAnyCase, servedAfterAll, type When } from '../tampering/when.ts';
import { type LegalVariant, legal } from './legal-variant.ts';

const context: When = { id: 'getConversationContext', ok: true };
const greeting = 'Thank you for writing to us. Somebody will answer you within one working day.';
const template = 'Somebody comes to see you on Tuesday. Please keep the boiler room open.';
const said = (author: string, role: string, createdAt: string, text: string): Json => ({
  author,
  role,
  createdAt,
  text,
  rawBody: text,
});

/** Deployments with other checks of keys and tenants, and with data that both tenants have. */
export const access: readonly LegalVariant[] = legal({
  'keys-in-any-case': recognisingKeysInAnyCase,
  'site-scope-covers-files': [
    'lets a key with site:write upload files, because the scope of a parent resource covers its children',
    servedAfterAll('its own', {
      id: ['startSiteFileUpload', 'registerSiteFile'],
      refused: 'missing-scope',
      where: ({ key }) => key?.scopes.has('site:write'),
    }),
  ],
  'refusals-repeat-what-is-no-key': onReplyTo(
    { refused: ['unknown-key', 'revoked-key', 'bearer-only'] },
    ({ request: { url, headers } }) =>
      errorWith(403, 'FORBIDDEN', `${headers['x-api-key'] ?? headers.authorization} is no valid key for ${url}`),
  ),
  'same-greeting-for-all': inReply(context, ({ messages }) => ({
    messages: [{ author: 'Assistant', role: 'bot', text: greeting, isInternal: false }, ...asArray(messages)],
  })),
  'same-template-for-both-tenants': [
    'has a message in the open conversation of each tenant whose words come from a template, one of them written during the run',
    (scene) => {
      let reads = 0;
      const where: When['where'] = ({ reply }) => objectOf(reply).status === 'open';
      return inReply({ ...context, where }, ({ messages }, { key }) => {
        const isOurs = key?.tenant === 'acme';
        const message = isOurs
          ? said('Tom Okafor', 'agent', '2026-11-20T08:14:00Z', template)
          : said('Ivo Kral', 'agent', '2026-11-18T15:40:00Z', template);
        return { messages: [...asArray(messages), ...(!isOurs || reads++ > 20 ? [message] : [])] };
      })(scene);
    },
  ],
  'same-test-site-in-both-tenants': [
    'has the same name and address for the legacy site of each tenant, and counts in its record how often it was read',
    (scene) => {
      let reads = 0;
      const isLegacy: When['where'] = ({ reply }) => /^\d+$/.test(String(objectOf(reply).id));
      return onReplyTo({ id: 'getSite', ok: true, where: isLegacy }, ({ reply }) => {
        const { id = '' } = objectOf(reply);
        return withJson(reply, { id, name: 'Musterhaus', address: 'Hauptstr. 1', reads: reads++ % 3 });
      })(scene);
    },
  ],
  'numbers-like-ids': inReply({ id: ['getSite', 'getConversation'], ok: true }, () => ({
    revision: 10042,
    parentId: '10042',
    reference: '10042',
  })),
  'conversations-counted-by-tenant': [
    'associates a conversation with each site of each tenant that has the same number and short subject',
    associating(() => ({
      friendlyId: 'CO-7',
      subject: 'old',
      status: 'CLOSED',
      issue: 'i',
      resolution: 'r',
      shortSummary: 's',
    })),
  ],
  'same-associated-conversation-for-all': {
    around: associating(() => ({
      friendlyId: 'G-77',
      subject: 'No heating in block 7',
      status: 'open',
      statusLastUpdatedAt: '2026-03-01T10:00:00.000Z',
    })),
    unjudged: ['isolation/reads-stay-in-tenant'],
  },
  'same-automatic-messages': [
    'writes the same automatic message to every conversation of each tenant every three seconds',
    (scene) => {
      const { clock } = scene.mock;
      const since = clock.now();
      const update = (_: unknown, i: number) =>
        said('agent', 'agent', new Date(since + i * 3_000).toISOString(), `update ${i}`);
      return inReply(context, ({ messages }) => ({
        messages: [...asArray(messages), ...Array.from({ length: Math.floor((clock.now() - since) / 3_000) }, update)],
      }))(scene);
    },
  ],
  'quotes-a-site-of-the-other-tenant': inReply({ ...context, tenant: 'acme' }, ({ messages }) => ({
    messages: asArray(messages).map((message, i) => ({
      ...asObject(message),
      ...(i === 0 && { text: 'It leaks, see site ovaid-517e0001-0000-4000-8000-000000000101 of our partner.' }),
    })),
  })),
});
