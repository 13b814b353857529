import {
  asArray,
  errorWith,
  objectOf,
  replyWith,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { type LabelWrite, labelWriteOf } from '../../tampering/label-write.ts';
import { inLabels } from './label-replies.ts';

const applying = (on: LabelWrite['on']) => (write: LabelWrite) => write.does === 'apply' && write.on === on;
const removing = (on: LabelWrite['on']) => (write: LabelWrite) => write.does === 'remove' && write.on === on;

const holders = ['conversation', 'site', 'link'] as const;

const privates = (answered: Answered) =>
  [...(answered.mock.tenants.get('acme')?.records.labels.values() ?? [])]
    .filter(({ visibility }) => visibility === 'private')
    .map(({ id, name }) => ({ id, name }));

const isAcmes = ({ key }: Answered) => key?.tenant === 'acme';

/** Treats private labels as public ones in some writes. @param idOf the id of the label that a path names */
export const reachable = (which: (write: LabelWrite) => boolean, effect: boolean, idOf = (named: string) => named) =>
  onReply((answered) => {
    const { params, refused } = answered;
    const named = { ...params, ...(params.labelId && { labelId: idOf(params.labelId) }) };
    const write = refused === null ? undefined : labelWriteOf({ ...answered, params: named });
    if (write?.label?.visibility !== 'private' || !which(write)) return undefined;
    if (effect && write.does === 'apply') write.tenant.applyLabel(write.holder, write.label);
    if (effect && write.does === 'remove') write.tenant.removeLabel(write.holder, write.label);
    const labels = write.tenant.publicLabelsOf(write.holder).map(({ id, name }) => ({ id, name }));
    return replyWith(200, { ...('id' in write.holder && { siteId: String(write.holder.id) }), labels });
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
      onReply((answered) => {
        const write = answered.refused === null ? undefined : labelWriteOf(answered);
        if (write?.label?.visibility !== 'private' || !removing('conversation')(write)) return undefined;
        const last = write.tenant.publicLabelsOf(write.holder).at(-1);
        const label = last && write.tenant.records.labels.get(last.id);
        if (label !== undefined) write.tenant.removeLabel(write.holder, label);
        return errorWith(404, 'NOT_FOUND', 'There is no such label here.');
      }),
    ],
  }),
  ...breaking('labels/private-cannot-be-applied', {
    'labels/private-apply-says-200': [
      'ignores a private label that is applied, and answers 200',
      reachable((write) => write.does === 'apply', false),
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
      onReply((answered) =>
        answered.id === 'getConversation' && answered.ok && isAcmes(answered)
          ? withProperties(answered.reply, { tags: ['boiler', ...privates(answered).map(({ name }) => name)] })
          : undefined,
      ),
    ],
    'labels/private-in-context-in-capitals': [
      'shows the names of private labels in a context, in capitals',
      onReply((answered) => {
        if (answered.id !== 'getConversationContext' || !answered.ok || !isAcmes(answered)) return undefined;
        const names = privates(answered).map(({ name }) => name.toUpperCase());
        return withProperties(answered.reply, { labels: [...asArray(objectOf(answered.reply).labels), ...names] });
      }),
    ],
    'labels/private-in-context': [
      'shows the names of private labels in a context, and nowhere else',
      onReply((answered) => {
        if (answered.id !== 'getConversationContext' || !answered.ok || !isAcmes(answered)) return undefined;
        const names = [...asArray(objectOf(answered.reply).labels), ...privates(answered).map(({ name }) => name)];
        return withProperties(answered.reply, { labels: names });
      }),
    ],
    'labels/private-in-listing': [
      'lists private labels',
      onReply((answered) => {
        if (answered.id !== 'listLabels' || !answered.ok || !isAcmes(answered)) return undefined;
        return withProperties(answered.reply, {
          labels: [...asArray(objectOf(answered.reply).labels), ...privates(answered)],
        });
      }),
    ],
    'labels/private-name-in-listing-as-parent': [
      'names a private label as the group of a public one',
      onReply((answered) => {
        if (answered.id !== 'listLabels' || !answered.ok || !isAcmes(answered)) return undefined;
        const [first, ...rest] = asArray(objectOf(answered.reply).labels);
        return withProperties(answered.reply, { labels: [{ ...(first as object), group: 'internal-risk' }, ...rest] });
      }),
    ],
    'labels/private-name-in-refusal': [
      'names a private label in the message that refuses it',
      onReply((answered) => {
        const write = answered.refused === null ? undefined : labelWriteOf(answered);
        if (write?.label?.visibility !== 'private') return undefined;
        return errorWith(404, 'NOT_FOUND', `Label ${write.label.name} is private.`);
      }),
    ],
  }),
  ...holders.map(
    (on): Defect => ({
      id: `labels/private-in-reply-for-${on}`,
      breaks: 'labels/private-never-in-a-reply',
      does: `lists the private labels of the tenant among those that a ${on} carries`,
      around: inLabels(on, 'any', (listed, _, answered) =>
        isAcmes(answered) ? [...listed, ...privates(answered)] : undefined,
      ),
    }),
  ),
];
