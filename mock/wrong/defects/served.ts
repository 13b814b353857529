import type { OperationId } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { failing, refusing, type When, withStatus, withText } from '../tampering/when.ts';

/** Lawful requests: the rule that demands that they are served, and a record or key for which alone they may fail. */
const lawful: Partial<Record<OperationId, readonly [RuleId, When?]>> = {
  getHealth: ['service/named-endpoints-exist'],
  getConversation: ['service/named-endpoints-exist', { record: 'closed' }],
  getConversationContext: ['context/get-answers-context', { record: 'closed' }],
  listLabels: ['labels/listing-gives-public-labels', { key: 'none' }],
  applyConversationLabel: ['labels/conversation-apply', { record: 'closed' }],
  removeConversationLabel: ['labels/conversation-remove', { record: 'closed' }],
  applySiteLabel: ['labels/site-apply', { record: 'legacy' }],
  removeClientSiteLabel: ['labels/link-remove'],
  startSiteFileUpload: ['upload/start-is-201', { record: 'newer' }],
  registerSiteFile: ['upload/register-takes-file-key'],
};

/** Lawful requests that are not served, or answered otherwise: each fault at each operation. */
export const served: readonly Defect[] = [
  ...Object.entries(lawful).flatMap(([operation, [rule, part]]) => {
    const id = operation as OperationId;
    const area = rule.split('/')[0];
    const ok = { id, ok: true } as const;
    return [
      ...breaking(rule, {
        [`${area}/${id}-answers-501`]: refusing({ id }, 501),
        [`${area}/${id}-answers-410`]: failing(ok, 410),
        [`${area}/${id}-with-status-418`]: withStatus(ok, 418),
        [`${area}/${id}-fails-every-second-time`]: failing({ ...ok, every: 2 }, 400),
        ...(part && { [`${area}/${id}-breaks-for-some`]: failing({ ...ok, ...part }, 500) }),
      }),
      ...breaking('transport/json-both-ways', {
        [`transport/${id}-answers-text`]: withText(ok, (body) => `record ${body}`),
        ...(part && {
          [`transport/${id}-cut-off-for-some`]: withText({ ...ok, ...part }, (body) => body.slice(0, -9)),
        }),
      }),
    ];
  }),
  ...(['startSiteFileUpload', 'applySiteLabel', 'removeSiteLabel'] as const).flatMap((id) => [
    ...breaking('ids/site-id', {
      [`ids/newer-id-malformed-for-${id}`]: refusing({ id, usable: true, record: 'newer' }, 400),
    }),
    ...breaking('ids/legacy-site-id-works', {
      [`ids/legacy-id-unknown-for-${id}`]: refusing({ id, usable: true, record: 'legacy' }, 404),
    }),
  ]),
  ...breaking('auth/key-in-x-api-key', {
    'auth/valid-key-refused-on-upload': refusing({ id: 'startSiteFileUpload' }, 401),
    'auth/second-key-refused': refusing({ usable: true, where: ({ key }) => key?.name.startsWith('only-') }, 403),
    'auth/strangers-key-refused': refusing({ tenant: 'globex', key: 'reader' }, 403),
    'auth/narrow-key-expires': refusing({ key: 'only-conversation-read', after: 40 }, 401),
  }),
  ...breaking('scopes/named-scopes-suffice', {
    'scopes/closed-needs-read-too': refusing(
      { id: 'applyConversationLabel', usable: true, lacks: 'conversation:read', record: 'closed' },
      403,
    ),
    'scopes/context-needs-client-read-too': refusing(
      { id: 'getConversationContext', usable: true, lacks: 'client:read' },
      403,
    ),
    'scopes/upload-needs-site-write-too': refusing(
      { id: 'startSiteFileUpload', usable: true, lacks: 'site:write' },
      403,
    ),
    'scopes/link-needs-conversation-write-too': refusing(
      { id: 'removeClientSiteLabel', usable: true, lacks: 'conversation:write' },
      403,
    ),
  }),
];
