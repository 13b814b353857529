import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { holderKey } from '../../target/holder.ts';
import { holdersOf } from '../../target/records.ts';
import { deploymentIn } from '../judging/asked.ts';
import type { Law } from '../judging/law.ts';
import { lawOfWrites } from './law-of-writes.ts';
import { privateLabels } from './private-labels.ts';
import { lawOfSetReplies, siteLabelSet } from './set-replies.ts';
import { labelSetsIn } from './sets/label-sets.ts';

const closedIds = (history: History) => {
  const { tenant, stranger } = deploymentIn(history);
  return [tenant, stranger]
    .flatMap((one) => (one ? holdersOf(one) : []))
    .filter(({ slug }) => slug === 'closed-conversation')
    .map(({ holder }) => holderKey(holder));
};

/** Whether a hook closed this conversation before the request, and no hook reopened it before the reply. */
function isClosedInside(holder: string, { sentAt, doneAt }: Exchange, { hooks }: History): boolean {
  const calls = hooks.filter(({ input, failure }) => failure === null && holder === `conversation ${input.id}`);
  const closed = calls.findLast((call) => call.hook === 'closeConversation' && call.doneAt <= sentAt);
  const opened = calls.find((call) => call.hook === 'reopenConversation' && call.startedAt >= (closed?.doneAt ?? 0));
  return closed !== undefined && doneAt <= (opened?.startedAt ?? Number.POSITIVE_INFINITY);
}

const membership: readonly Law[] = [
  lawOfWrites(
    'labels/apply-adds',
    'a label that is applied is carried afterwards, and all others stay',
    ({ act, carried }) => act === 'apply' && carried === false,
  ),
  lawOfWrites(
    'labels/apply-is-idempotent',
    'applying a label that is carried succeeds and changes nothing',
    ({ act, carried }) => act === 'apply' && carried === true,
  ),
  lawOfWrites(
    'labels/remove-removes',
    'a label that is removed is not carried any more, and all others stay',
    ({ act, carried }) => act === 'remove' && carried === true,
  ),
  lawOfWrites(
    'labels/remove-is-idempotent',
    'removing a label that is not carried succeeds and changes nothing',
    ({ act, carried }) => act === 'remove' && carried === false,
  ),
  lawOfWrites(
    'labels/membership-is-a-set',
    'a label stands once in a set, and one removal takes it off however often it was applied',
    ({ done }) => done,
    (history) => ({
      breaches: labelSetsIn(history).showings.flatMap(({ exchange, labels, holder }) =>
        [...labels]
          // Unknown texts do not count, because two labels may have the same name.
          .filter(([label, times]) => times > 1 && !label.startsWith('='))
          .map(([label, times]) => ({
            exchange,
            expected: `each label once in the labels of ${holderKey(holder)}`,
            observed: `${label} ${times} times`,
          })),
      ),
    }),
  ),
  lawOfWrites(
    'labels/closed-conversation-can-be-labelled',
    'a closed conversation is labelled like any other',
    ({ holder, exchange }, history) =>
      closedIds(history).includes(holderKey(holder)) || isClosedInside(holderKey(holder), exchange, history),
    undefined,
    ({ holder, rules, exchange }, history) =>
      rules.length > 0 && (closedIds(history).includes(holder) || isClosedInside(holder, exchange, history)),
  ),
  lawOfSetReplies('applyConversationLabel', 'applying a label to a conversation'),
  lawOfSetReplies('removeConversationLabel', 'removing a label from a conversation'),
  lawOfSetReplies('applySiteLabel', 'applying a label to a site by PUT'),
  lawOfSetReplies('removeClientSiteLabel', 'removing a label from a client-site link'),
  siteLabelSet,
];

/** Laws about labels. */
export const labels: readonly Law[] = [...membership, ...privateLabels];
