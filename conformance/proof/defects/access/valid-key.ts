import { asArray, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import type { Answered } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import { failing, inReply, onReplyTo, refusing } from '../../tampering/when.ts';

/** Refuses with the body of a gateway. */
const asGateway = (refused: NonNullable<Answered['refused']>) =>
  onReplyTo({ refused }, () => replyWith(403, { message: 'Forbidden' }));

/** Valid keys are refused, or see less than others of their tenant; refusals lack the error body. */
export const validKey: readonly Defect[] = [
  ...breaking('auth/key-in-x-api-key', {
    'auth/valid-key-refused-on-upload': refusing({ id: 'startSiteFileUpload' }, 401),
    'auth/second-key-refused': [
      'knows one key per tenant and refuses every other',
      refusing({ usable: true, where: ({ key }) => key?.name.startsWith('only-conversation-read') }, 403),
    ],
    'auth/strangers-key-refused': refusing({ tenant: 'globex', key: 'reader' }, 403),
    'auth/valid-key-refused-beside-a-wrong-one': [
      'remembers for 200 ms that a path was refused, and refuses it to valid keys, too',
      fromCache({
        keeps: { refused: ['no-key', 'unknown-key'] },
        answers: { ok: true, method: 'GET' },
        milliseconds: 200,
      }),
    ],
    'auth/narrow-key-expires': refusing({ key: 'only-conversation-read', after: 40 }, 401),
  }),
  ...breaking('auth/forbidden-has-the-error-body', {
    'auth/gateway-body-without-key': ['answers a missing key with a gateway body', asGateway('no-key')],
    'auth/gateway-body-for-missing-scope': ['answers a missing scope with a gateway body', asGateway('missing-scope')],
    'auth/gateway-body-for-unknown-key': ['answers an unknown key with a gateway body', asGateway('unknown-key')],
    'auth/revoked-key-without-code': [
      'leaves the code out of the error body for a revoked key',
      onReplyTo({ refused: 'revoked-key' }, () => replyWith(403, { error: { message: 'This key was revoked.' } })),
    ],
    'auth/empty-code-for-missing-scope-on-links': [
      'leaves error.code empty where a key may not write labels of a link',
      inReply({ refused: 'missing-scope', id: 'applyClientSiteLabel' }, () => ({ error: { code: '', message: 'no' } })),
    ],
  }),
  ...breaking('keys/partner-scoped', {
    'keys/records-of-the-key-that-made-them': failing(
      { id: 'getConversationContext', ok: true, record: 'closed', key: 'only-conversation-read' },
      404,
    ),
    'keys/labels-of-the-key': [
      'lists to a key with client:read only the labels that it has used',
      inReply({ id: 'listLabels', ok: true, key: 'full', tenant: 'acme' }, ({ labels }) => ({
        labels: asArray(labels).slice(2),
      })),
    ],
    'keys/first-message-for-one-key': [
      'leaves the first message of a context out for the widest key',
      inReply({ id: 'getConversationContext', ok: true, key: 'full' }, ({ messages }) => ({
        messages: asArray(messages).slice(1),
      })),
    ],
  }),
];
