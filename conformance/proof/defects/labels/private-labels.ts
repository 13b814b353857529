import { asArray, errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import type { Asked } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import {
  applying,
  carryOut,
  dropAnother,
  inLabels,
  isClosed,
  type LabelWrite,
  labelWriteOf,
  privateLabelsOf,
  reachable,
  removing,
} from '../../tampering/label-write.ts';
import { failing, inListed, inReply, onReplyTo, type When, withHeaders } from '../../tampering/when.ts';

const privatesOf = ({ mock }: Asked) => privateLabelsOf(mock, 'acme');
const namesOf = (asked: Asked) => privatesOf(asked).map(({ name }) => name);

/** Refuses some writes of private labels in another way. */
const refusingPrivate = (which: (write: LabelWrite) => boolean, message: (write: LabelWrite) => unknown) =>
  onReplyTo({ refused: /./ }, (answered) => {
    const write = labelWriteOf(answered);
    return write?.label?.visibility === 'private' && which(write)
      ? errorWith(404, 'NOT_FOUND', String(message(write) ?? 'There is no such label here.'))
      : undefined;
  });

const record: When = { id: 'getConversation', ok: true, tenant: 'acme' };
const context: When = { id: 'getConversationContext', ok: true, tenant: 'acme' };

/** Private labels that are written, or shown. */
export const privateLabels: readonly Defect[] = [
  ...(['conversation', 'site', 'link'] as const).flatMap((on) => [
    ...breaking('labels/private-cannot-be-applied', {
      [`labels/private-applied-to-${on}`]: reachable(applying(on), true),
    }),
    ...breaking('labels/private-cannot-be-removed', {
      [`labels/private-removed-from-${on}`]: reachable(removing(on), true),
    }),
    ...breaking('labels/private-never-in-a-reply', {
      [`labels/private-in-reply-for-${on}`]: inLabels(on, 'any', (labels, _, asked) =>
        asked.key?.tenant === 'acme' ? [...labels, ...privatesOf(asked)] : undefined,
      ),
    }),
  ]),
  ...breaking('labels/private-cannot-be-removed', {
    'labels/private-removal-takes-others': [
      'refuses to remove a private label from a conversation, and takes off what was put on last instead',
      refusingPrivate(removing('conversation'), (write) => void dropAnother(write)),
    ],
  }),
  ...breaking('labels/private-cannot-be-applied', {
    'labels/private-applied-before-it-is-refused': refusingPrivate(applying('conversation'), carryOut),
    'labels/private-applied-to-closed-alone': reachable((write) => write.does === 'apply' && isClosed(write), false),
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
    'labels/private-among-tags': inReply(record, (_, asked) => ({ tags: ['boiler', ...namesOf(asked)] })),
    'labels/private-in-a-joined-text': inReply(record, (_, asked) => ({ tags: ['vip', ...namesOf(asked)].join(', ') })),
    'labels/private-as-a-property': inReply(record, (_, asked) => ({
      uses: Object.fromEntries(namesOf(asked).map((name) => [name, 1])),
    })),
    'labels/private-in-context-in-capitals': inReply(context, ({ labels }, asked) => ({
      labels: [...asArray(labels), ...namesOf(asked).map((name) => name.toUpperCase())],
    })),
    'labels/private-in-closed-context': inReply({ ...context, record: 'closed' }, ({ labels }) => ({
      labels: [...asArray(labels), 'churn-suspect'],
    })),
    'labels/private-name-in-listing-as-parent': [
      'names a private label as the group of a public one',
      inListed((label, index) => (index === 0 ? { ...label, group: 'internal-risk' } : label), 'acme'),
    ],
    'labels/private-listed-to-a-query': inReply(
      { id: 'listLabels', ok: true, tenant: 'acme', url: /includePrivate/ },
      ({ labels }, asked) => ({ labels: [...asArray(labels), ...privatesOf(asked)] }),
    ),
    'labels/private-name-in-refusal': refusingPrivate(
      () => true,
      ({ label }) => `Label ${label?.name} is private.`,
    ),
    'labels/private-name-in-a-404': failing(
      { status: 404, url: /^\/v1\/conversation\/c0000001/ },
      404,
      'Not found. Labels: internal-risk.',
    ),
    'labels/private-name-in-a-header': withHeaders(
      { id: 'getConversationContext', ok: true },
      { 'x-labels': 'vip,internal-risk' },
    ),
    'labels/private-id-in-a-header': withHeaders(
      { id: 'listLabels', ok: true },
      { 'x-hidden': '1abe9003-0000-4000-8000-000000000903' },
    ),
    'labels/private-beside-the-set-of-a-site': inReply(
      { id: ['applySiteLabel', 'removeSiteLabel'], ok: true, record: 'legacy' },
      () => ({ hidden: ['1abe9002-0000-4000-8000-000000000902'] }),
    ),
  }),
];
