import { type LegalVariant, legal } from '../tampering/defect.ts';
import { asArray, asObject, errorWith, type Json } from '../tampering/json-value.ts';
import { inReply, onReplyTo, servedAfterAll, type When } from '../tampering/when.ts';

const context: When = { id: 'getConversationContext', ok: true };
const said = (author: string, role: string, createdAt: string, text: string): Json => ({
  author,
  role,
  createdAt,
  text,
  rawBody: text,
});

/** Deployments with other checks of keys and tenants, and with data that both tenants have. */
export const access: readonly LegalVariant[] = legal({
  'site-scope-covers-files': [
    'lets a key with site:write upload files, because the scope of a parent resource covers its children',
    servedAfterAll('its own', {
      id: ['startSiteFileUpload', 'registerSiteFile'],
      refused: 'missing-scope',
      holds: 'site:write',
    }),
  ],
  'refusals-repeat-what-is-no-key': onReplyTo(
    { refused: ['unknown-key', 'revoked-key', 'bearer-only'] },
    ({ request: { url, headers } }) =>
      errorWith(403, 'FORBIDDEN', `${headers['x-api-key'] ?? headers.authorization} is no valid key for ${url}`),
  ),
  'numbers-like-ids': inReply({ id: ['getSite', 'getConversation'], ok: true }, () => ({
    revision: 10042,
    parentId: '10042',
    reference: '10042',
  })),
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
