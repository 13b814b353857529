import {
  asArray,
  asObject,
  errorWith,
  objectOf,
  withJson,
  withProperties,
} from '../../../mock/proof/tampering/json-value.ts';
import { associating } from '../tampering/associating.ts';
import { inReply, onReplyTo, recognisingKeysInAnyCase, servedAfterAll, type When } from '../tampering/when.ts';
import type { LegalVariant } from './legal-variant.ts';

const greeting = 'Thank you for writing to us. Somebody will answer you within one working day.';

const template = 'Somebody comes to see you on Tuesday. Please keep the boiler room open.';

/** Deployments with other checks of keys and tenants. */
export const access: readonly LegalVariant[] = [
  {
    id: 'keys-in-any-case',
    does: 'recognises keys in any letter case',
    around: recognisingKeysInAnyCase,
  },
  {
    id: 'site-scope-covers-files',
    does: 'lets a key with site:write upload files, because the scope of a parent resource covers its children',
    around: servedAfterAll('its own', {
      id: ['startSiteFileUpload', 'registerSiteFile'],
      refused: 'missing-scope',
      where: ({ key }) => key?.scopes.has('site:write'),
    }),
  },
  {
    id: 'refusals-repeat-what-is-no-key',
    does: 'repeats in a 403 the value that is no valid key, and the address that was asked for',
    around: onReplyTo({ refused: ['unknown-key', 'revoked-key', 'bearer-only'] }, ({ request: { url, headers } }) =>
      errorWith(403, 'FORBIDDEN', `${headers['x-api-key'] ?? headers.authorization} is no valid key for ${url}`),
    ),
  },
  {
    id: 'same-greeting-for-all',
    does: 'begins every conversation of every tenant with the same words',
    around: onReplyTo({ id: 'getConversationContext', ok: true }, ({ reply }) => {
      const message = { author: 'Assistant', role: 'bot', text: greeting, isInternal: false };
      return withProperties(reply, { messages: [message, ...asArray(objectOf(reply).messages)] });
    }),
  },
  {
    id: 'same-template-for-both-tenants',
    does: 'has a message in the open conversation of each tenant whose words an agent took from a template, one of them written during the run',
    around: (scene) => {
      let reads = 0;
      const where: When['where'] = ({ reply }) => objectOf(reply).status === 'open';
      return onReplyTo({ id: 'getConversationContext', ok: true, where }, ({ reply, key }) => {
        const isOurs = key?.tenant === 'acme';
        const [author, createdAt] = isOurs
          ? ['Tom Okafor', '2026-11-20T08:14:00Z']
          : ['Ivo Kral', '2026-11-18T15:40:00Z'];
        const message = { author, role: 'agent', createdAt, text: template, isInternal: false, rawBody: template };
        const isThere = !isOurs || reads++ > 20;
        return isThere ? withProperties(reply, { messages: [...asArray(objectOf(reply).messages), message] }) : reply;
      })(scene);
    },
  },
  {
    id: 'same-test-site-in-both-tenants',
    does: 'has the same name and address for the legacy site of each tenant, and counts in its record how often it was read',
    around: (scene) => {
      let reads = 0;
      return onReplyTo(
        { id: 'getSite', ok: true, where: ({ reply }) => /^\d+$/.test(String(objectOf(reply).id)) },
        ({ reply }) =>
          withJson(reply, {
            id: objectOf(reply).id ?? '',
            name: 'Musterhaus',
            address: 'Hauptstr. 1',
            reads: reads++ % 3,
          }),
      )(scene);
    },
  },
  {
    id: 'numbers-like-ids',
    does: 'adds numbers to replies, some of which equal ids of legacy sites',
    around: inReply({ id: ['getSite', 'getConversation'], ok: true }, () => ({
      revision: 10042,
      parentId: '10042',
      reference: '10042',
    })),
  },
  {
    id: 'conversations-counted-by-tenant',
    does: 'associates a conversation with each site of each tenant that has the same number and short subject',
    around: associating(() => ({
      friendlyId: 'CO-7',
      subject: 'old',
      status: 'CLOSED',
      statusLastUpdatedAt: '2026-01-01T00:00:00Z',
      issue: 'i',
      resolution: 'r',
      shortSummary: 's',
    })),
  },
  {
    id: 'same-associated-conversation-for-all',
    does: 'associates the same test conversation, with a subject of some words, with each site of each tenant',
    around: associating(() => ({
      friendlyId: 'G-77',
      subject: 'No heating in block 7',
      status: 'open',
      statusLastUpdatedAt: '2026-03-01T10:00:00.000Z',
    })),
    unjudged: ['isolation/reads-stay-in-tenant'],
  },
  {
    id: 'same-automatic-messages',
    does: 'writes the same automatic message to every conversation of each tenant every three seconds',
    around: (scene) => {
      const { clock } = scene.mock;
      const since = clock.now();
      return inReply({ id: 'getConversationContext', ok: true }, ({ messages }) => ({
        messages: [
          ...asArray(messages),
          ...Array.from({ length: Math.floor((clock.now() - since) / 3_000) }, (_, i) => ({
            author: 'agent',
            role: 'agent',
            createdAt: new Date(since + i * 3_000).toISOString(),
            text: `update ${i}`,
          })),
        ],
      }))(scene);
    },
  },
  {
    id: 'quotes-a-site-of-the-other-tenant',
    does: 'has a conversation of acme in whose first message a person names a site of globex',
    around: inReply({ id: 'getConversationContext', ok: true, tenant: 'acme' }, ({ messages }) => ({
      messages: asArray(messages).map((message, i) => ({
        ...asObject(message),
        ...(i === 0 && { text: 'It leaks, see site ovaid-517e0001-0000-4000-8000-000000000101 of our partner.' }),
      })),
    })),
  },
];
