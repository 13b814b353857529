import type { OperationId } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { type Around, breaking, type Defect } from '../tampering/defect.ts';
import { doneAnyway } from '../tampering/label-write.ts';
import { elsewhere, type Owner } from '../tampering/predicates.ts';
import { failing, replying, servedAfterAll, type When } from '../tampering/when.ts';

const [window, maxInWindow] = [20, 12];

/** Breaks the mock while many requests arrive. */
const underLoad =
  (around: Around): Around =>
  (scene) => {
    const times: number[] = [];
    const broken = around(scene);
    return (request, trace) => {
      const now = scene.mock.clock.now();
      times.push(now);
      while ((times[0] ?? now) < now - window) times.shift();
      return (times.length > maxInWindow ? broken : scene.handle)(request, trace);
    };
  };

/** Breaks the mock only from 40 seconds after its start, when a run is nearly at its end. */
const late =
  (around: Around): Around =>
  (scene) => {
    const from = scene.mock.clock.now() + 40_000;
    const broken = around(scene);
    return (request, trace) => (scene.mock.clock.now() < from ? scene.handle : broken)(request, trace);
  };

/** Why requests must be refused, and what is broken where they are not. */
interface Reason {
  readonly id: string;
  readonly when: When;
  /** Whose records it serves where it does not refuse. */
  readonly owner: Owner;
  readonly rule: (operation: OperationId) => RuleId;
  /** The rule that names 403. */
  readonly statusRule?: RuleId;
  readonly served: readonly OperationId[];
  readonly done: readonly OperationId[];
}

const anywhere = {
  served: ['getConversationContext', 'listLabels', 'removeConversationLabel', 'startSiteFileUpload'],
  done: ['applyConversationLabel', 'removeSiteLabel'],
} as const;

const ofKey = (id: string, rule: RuleId, when: When): Reason => ({
  id: `auth/${id}`,
  when,
  owner: 'acme',
  rule: () => rule,
  statusRule: rule,
  ...anywhere,
});

const scopeRules: Partial<Record<OperationId, RuleId>> = {
  getConversationContext: 'scopes/context-needs-conversation-read',
  applyConversationLabel: 'scopes/conversation-labels-need-conversation-write',
  removeConversationLabel: 'scopes/conversation-labels-need-conversation-write',
  removeClientSiteLabel: 'scopes/link-remove-needs-both',
  startSiteFileUpload: 'scopes/upload-needs-sitefile-write',
};

const reasons: readonly Reason[] = [
  ofKey('no-key', 'auth/no-key-is-403', { refused: 'no-key' }),
  ofKey('unknown-key', 'auth/unknown-key-is-403', { refused: 'unknown-key' }),
  ofKey('revoked-key', 'auth/revoked-key-is-403', { refused: 'revoked-key' }),
  ofKey('bearer', 'auth/bearer-is-not-supported', { refused: /./, secret: /^$/, authorization: /^Bearer / }),
  {
    id: 'scopes/missing',
    when: { refused: 'missing-scope' },
    owner: 'its own',
    rule: (operation) => scopeRules[operation] ?? 'scopes/missing-scope-is-403',
    statusRule: 'scopes/missing-scope-is-403',
    served: Object.keys(scopeRules) as OperationId[],
    done: ['applyConversationLabel', 'removeConversationLabel', 'removeClientSiteLabel'],
  },
  {
    id: 'isolation/foreign',
    when: { refused: elsewhere, usable: true },
    owner: 'the other',
    rule: (operation) =>
      operation === 'startSiteFileUpload'
        ? 'upload/foreign-site-is-404'
        : `isolation/${operation.startsWith('get') ? 'reads' : 'writes'}-stay-in-tenant`,
    served: [
      ...['getConversationContext', 'getConversation', 'getSite', 'getClient'],
      ...[
        'removeConversationLabel',
        'applySiteLabel',
        'removeClientSiteLabel',
        'startSiteFileUpload',
        'registerSiteFile',
      ],
    ] as OperationId[],
    done: anywhere.done,
  },
];

const defectsOf = ({ id, when, owner, rule, statusRule, served, done }: Reason): readonly Defect[] => {
  const [first = 'listLabels'] = served;
  const serving = (more: When) => servedAfterAll(owner, { ...when, ...more });
  const one = (operation: OperationId, fault: string, around: ReturnType<typeof serving>) =>
    breaking(rule(operation), { [`${id}-${fault}`]: around });
  return [
    ...served.flatMap((operation) => one(operation, `served-by-${operation}`, serving({ id: operation }))),
    ...done.flatMap((operation) => {
      const effect = statusRule ?? rule(operation);
      return breaking(effect, {
        [`${id}-refused-but-done-by-${operation}`]: doneAnyway({ ...when, id: operation }, owner),
      });
    }),
    ...one(first, 'served-after-a-while', late(serving({}))),
    ...one(first, 'served-under-load', underLoad(serving({}))),
    ...one(
      'removeConversationLabel',
      'writes-answered-200',
      replying({ ...when, url: /\/label\// }, 200, { labels: [] }),
    ),
    ...(statusRule
      ? breaking(statusRule, {
          [`${id}-is-401`]: failing(when, 401),
          [`${id}-is-404-for-uploads`]: failing({ ...when, id: 'startSiteFileUpload' }, 404),
          [`${id}-is-400-on-links`]: failing({ ...when, id: 'removeClientSiteLabel' }, 400),
          [`${id}-is-500-on-contexts`]: failing({ ...when, id: 'getConversationContext' }, 500),
        })
      : []),
  ];
};

/** Requests that must be refused: each reason, with each way not to, at several operations, records and times. */
export const refusals: readonly Defect[] = reasons.flatMap(defectsOf);
