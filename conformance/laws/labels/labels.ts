import { holderKey } from '../../target/holder.ts';
import type { Law } from '../judging/law.ts';
import { labelList } from './label-list.ts';
import { labelSpelling } from './label-spelling.ts';
import { lawOfWrites } from './law-of-writes.ts';
import { lawOfSetReplies, siteLabelSet } from './set-replies.ts';
import { labelSetsIn } from './sets/label-sets.ts';

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
  lawOfSetReplies('applyConversationLabel', 'applying a label to a conversation'),
  lawOfSetReplies('removeConversationLabel', 'removing a label from a conversation'),
  lawOfSetReplies('applySiteLabel', 'applying a label to a site by PUT'),
  lawOfSetReplies('removeClientSiteLabel', 'removing a label from a client-site link'),
  siteLabelSet,
];

/** Laws about labels. */
export const labels: readonly Law[] = [...membership, labelList, ...labelSpelling];
