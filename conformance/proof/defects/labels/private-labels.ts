import { asArray, errorWith, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import {
  applying,
  carried,
  carryOut,
  dropAnother,
  type LabelWrite,
  labelsNow,
  labelWriteOf,
  privateLabelsOf,
  removing,
} from '../../tampering/label-write.ts';
import { inListed, inReply, onReplyTo } from '../../tampering/when.ts';
import { inLabels } from './label-replies.ts';

const holders = ['conversation', 'site', 'link'] as const;

const privatesOf = ({ mock }: Asked) => privateLabelsOf(mock, 'acme');

/** Treats private labels as public ones in some writes, except removals without an effect, which may succeed. @param idOf the id of the label that a path names */
export const reachable = (which: (write: LabelWrite) => boolean, effect: boolean, idOf = (named: string) => named) =>
  onReply((answered) => {
    const { params, refused } = answered;
    const named = { ...params, ...(params.labelId && { labelId: idOf(params.labelId) }) };
    const write = refused === null ? undefined : labelWriteOf({ ...answered, params: named });
    if (write?.label?.visibility !== 'private' || !which(write)) return undefined;
    if (effect && write.does === 'remove' && !carried(write)) return undefined;
    if (effect) carryOut(write);
    return replyWith(200, {
      ...('id' in write.holder && { siteId: String(write.holder.id) }),
      labels: labelsNow(write),
    });
  });

/** Refuses some writes of private labels in another way. */
const refusingPrivate = (which: (write: LabelWrite) => boolean, message: (write: LabelWrite) => string) =>
  onReplyTo({ refused: /./ }, (answered) => {
    const write = labelWriteOf(answered);
    return write?.label?.visibility === 'private' && which(write)
      ? errorWith(404, 'NOT_FOUND', message(write))
      : undefined;
  });

export const privateLabels: readonly Defect[] = [
  ...holders.flatMap((on): Defect[] => [
    {
      id: `labels/private-applied-to-${on}`,
      breaks: 'labels/private-cannot-be-applied',
      does: `applies private labels to a ${on}`,
      around: reachable(applying(on), true),
    },
    {
      id: `labels/private-removed-from-${on}`,
      breaks: 'labels/private-cannot-be-removed',
      does: `removes private labels from a ${on}, which shows in no reply, but inside the product`,
      around: reachable(removing(on), true),
    },
  ]),
  ...breaking('labels/private-cannot-be-removed', {
    'labels/private-removal-takes-others': [
      'refuses to remove a private label from a conversation, and takes off what was put on last instead',
      refusingPrivate(removing('conversation'), (write) => {
        dropAnother(write);
        return 'There is no such label here.';
      }),
    ],
  }),
  ...breaking('labels/private-cannot-be-applied', {
    'labels/private-applied-before-it-is-refused': [
      'puts a private label on a conversation before it refuses that, which shows in no reply, but inside the product',
      refusingPrivate(applying('conversation'), (write) => {
        carryOut(write);
        return 'There is no such label here.';
      }),
    ],
    'labels/private-applied-in-upper-case': [
      'knows a private label by its id in lower case alone, and applies it by its id in upper case',
      reachable(
        () => true,
        true,
        (named) => (named === named.toLowerCase() ? '' : named.toLowerCase()),
      ),
    ],
  }),
  ...breaking('labels/private-never-in-a-reply', {
    'labels/private-among-tags': [
      'has the names of private labels among the tags of a conversation record',
      inReply({ id: 'getConversation', ok: true, tenant: 'acme' }, (_, asked) => ({
        tags: ['boiler', ...privatesOf(asked).map(({ name }) => name)],
      })),
    ],
    'labels/private-in-a-joined-text': [
      'has the names of all labels in one text of a conversation record, private ones too',
      inReply({ id: 'getConversation', ok: true, tenant: 'acme' }, (_, asked) => ({
        tags: ['vip', ...privatesOf(asked).map(({ name }) => name)].join(', '),
      })),
    ],
    'labels/private-as-a-property': [
      'counts the uses of labels by their names in a conversation record, private ones too',
      inReply({ id: 'getConversation', ok: true, tenant: 'acme' }, (_, asked) => ({
        uses: Object.fromEntries(privatesOf(asked).map(({ name }) => [name, 1])),
      })),
    ],
    'labels/private-in-context-in-capitals': [
      'shows the names of private labels in a context, in capitals',
      inReply({ id: 'getConversationContext', ok: true, tenant: 'acme' }, ({ labels }, asked) => ({
        labels: [...asArray(labels), ...privatesOf(asked).map(({ name }) => name.toUpperCase())],
      })),
    ],
    'labels/private-name-in-listing-as-parent': [
      'names a private label as the group of a public one',
      inListed((label, index) => (index === 0 ? { ...label, group: 'internal-risk' } : label), 'acme'),
    ],
    'labels/private-name-in-refusal': [
      'names a private label in the message that refuses it',
      refusingPrivate(
        () => true,
        ({ label }) => `Label ${label?.name} is private.`,
      ),
    ],
    'labels/private-listed-to-a-query': [
      'lists private labels where includePrivate is asked for',
      inReply({ id: 'listLabels', ok: true, tenant: 'acme', url: /includePrivate/ }, ({ labels }, { mock }) => ({
        labels: [...asArray(labels), ...privateLabelsOf(mock, 'acme')],
      })),
    ],
  }),
  ...holders.map(
    (on): Defect => ({
      id: `labels/private-in-reply-for-${on}`,
      breaks: 'labels/private-never-in-a-reply',
      does: `lists the private labels of the tenant among those that a ${on} carries`,
      around: inLabels(on, 'any', (labels, _, asked) =>
        asked.key?.tenant === 'acme' ? [...labels, ...privatesOf(asked)] : undefined,
      ),
    }),
  ),
];
