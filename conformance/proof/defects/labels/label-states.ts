import { errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { instead, onRequest, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import { type Around, breaking, type Defect } from '../../tampering/defect.ts';
import {
  alsoAfter,
  carried,
  drop,
  dropAnother,
  isClosed,
  knowing,
  type LabelWrite,
  labelWriteOf,
  onWrite,
  put,
  shownAfter,
  wasCarried,
} from '../../tampering/label-write.ts';
import { type AskedWhen, answering, endConnection, inListed, readingUrl, throttling } from '../../tampering/when.ts';

type Which = (write: LabelWrite) => boolean;

/** Labels that were applied over the API, without those of the fixtures. */
const isFresh: Which = ({ holder, label }) => label !== undefined && !holder.seededLabels.includes(label.id);

/** Whether a label is none of the spare labels of the tenant under test. */
const isFromInside: Which = ({ label, tenant }) => tenant.name === 'acme' && !/^1abe100[89]/.test(label?.id ?? '');

/** After a successful write the store changes once more, and the reply shows the changed set. */
const then = (which: (write: LabelWrite, was: boolean) => boolean, more: (write: LabelWrite) => void) =>
  knowing(wasCarried, (was) => shownAfter((write) => isFresh(write) && which(write, was()), more));

/** Answers some removals of public labels with a wrong status and the right body. */
const removingWith = (status: number, which: (was: boolean) => boolean) =>
  knowing(wasCarried, (was) =>
    onWrite(
      (write) => write.does === 'remove' && isFresh(write) && which(was()),
      (_, { reply }) => ({ ...reply, status }),
    ),
  );

/** Some removals from a site remove another label as well; the next apply restores it. */
const hidingNeighbours = (whichRemoval: (was: boolean) => boolean) => (scene: Scene) => {
  const hidden = new Map<object, LabelWrite['label']>();
  return then(
    ({ does, on }, was) => on === 'site' && (does === 'apply' ? !was : whichRemoval(was)),
    (write) => {
      put({ ...write, label: hidden.get(write.holder) });
      hidden.delete(write.holder);
      if (write.does === 'remove') hidden.set(write.holder, dropAnother(write));
    },
  )(scene);
};

/** Executes the write, but answers 500. */
const doneWith500 = (does: LabelWrite['does'], which: Which) =>
  onWrite(
    (write) => write.does === does && isFresh(write) && which(write),
    (_, { reply }) => ({ ...reply, status: 500 }),
  );

const on =
  (...kinds: readonly LabelWrite['on'][]): Which =>
  (write) =>
    kinds.includes(write.on);

/** Counts removals of absent labels since the last removal with an effect. */
const refusingAbsent = (status: number, refused: (count: number) => boolean) => (scene: Scene) => {
  const counts = new Map<object, number>();
  return instead((asked) => {
    const write = asked.key?.revoked ? undefined : labelWriteOf(asked);
    if (write?.does !== 'remove' || !isFresh(write) || write.label?.visibility !== 'public') return undefined;
    const count = carried(write) ? 0 : (counts.get(write.holder) ?? 1) + 1;
    counts.set(write.holder, count);
    return count > 0 && refused(count) ? errorWith(status, 'NOT_CARRIED') : undefined;
  })(scene);
};

const broken = [
  ['apply', 'labels/apply-adds', () => true],
  ['apply', 'labels/conversation-apply', on('conversation')],
  ['apply', 'labels/site-apply', on('site')],
  ['remove', 'labels/conversation-remove', on('conversation')],
  ['remove', 'labels/link-remove', on('link')],
  ['remove', 'labels/closed-conversation-can-be-labelled', isClosed],
] as const satisfies readonly (readonly [LabelWrite['does'], Defect['breaks'], Which])[];

/** Lawful writes of public labels. */
const writing = (which: Which): AskedWhen => ({
  usable: true,
  where: (asked) => {
    const write = labelWriteOf(asked);
    return write?.label?.visibility === 'public' && which(write);
  },
});

/** Throttled whenever they are asked, though the key has tokens. */
const throttled = (which: Which) => throttling(writing(which));

/** The connection ends without a reply. */
const reset =
  (which: Which): Around =>
  (scene) =>
    answering(writing(which), () => endConnection(scene))(scene);

/** Defects of membership that need several requests to show. */
export const labelStates: readonly Defect[] = [
  ...broken.map(
    ([does, breaks, which]): Defect => ({
      id: `${breaks}-done-with-500`,
      breaks,
      does: `${does === 'apply' ? 'applies' : 'removes'} a label, and answers 500 with the labels that are carried then`,
      around: doneWith500(does, which),
    }),
  ),
  ...breaking('labels/apply-adds', {
    'labels/apply-takes-a-place': [
      'takes another label off when a new one is applied, and puts it back when the new one is removed',
      (scene) => {
        const displaced = new Map<object, LabelWrite['label']>();
        return then(
          ({ does }, was) => (does === 'apply') !== was,
          (write) => {
            if (write.does === 'remove') put({ ...write, label: displaced.get(write.holder) });
            else displaced.set(write.holder, dropAnother(write) ?? displaced.get(write.holder));
          },
        )(scene);
      },
    ],
    'labels/holder-by-pattern': [
      'looks sites up by LIKE where labels are written',
      readingUrl(/^(\/v1\/site\/ovaid-[\w-]{35})_(?=\/label\/)/, '$11'),
    ],
    'labels/not-stored-with-a-body': [
      'answers as it should where a label is applied with a body, and stores nothing',
      alsoAfter(({ does }, { request }) => does === 'apply' && request.body !== null, drop),
    ],
  }),
  ...breaking('labels/apply-is-idempotent', {
    'labels/fresh-apply-twice-toggles': [
      'removes a new label when it is applied a second time',
      then(({ does }, was) => does === 'apply' && was, drop),
    ],
    'labels/carried-from-inside-is-409': [
      'answers 409 where a label that the product has put on a record is applied again',
      knowing(wasCarried, (was) =>
        onWrite(
          (write) => write.does === 'apply' && was() && isFromInside(write),
          () => errorWith(409, 'CONFLICT'),
        ),
      ),
    ],
    'labels/carried-from-inside-is-toggled': [
      'removes a label that the product has put on a record where it is applied again',
      knowing(wasCarried, (was) => alsoAfter((write) => write.does === 'apply' && was() && isFromInside(write), drop)),
    ],
    'labels/applied-again-is-304': [
      'answers 304 where a label that a conversation carries is applied',
      instead((asked) => {
        const write = asked.id === 'applyConversationLabel' ? labelWriteOf(asked) : undefined;
        const isRepeated = write !== undefined && carried(write) && asked.key?.scopes.has('conversation:write');
        return isRepeated ? { status: 304, headers: {}, body: null } : undefined;
      }),
    ],
    'labels/second-apply-always-429': [
      'throttles whoever applies a label that is carried',
      throttled((write) => write.does === 'apply' && carried(write)),
    ],
  }),
  ...breaking('labels/remove-removes', {
    'labels/remove-loses-a-neighbour': [
      'loses another label as well when a carried label is removed',
      then(({ does }, was) => does === 'remove' && was, dropAnother),
    ],
    'labels/remove-hides-a-neighbour': [
      'takes another label off as well when a carried label is removed from a site, until the next is applied',
      hidingNeighbours((was) => was),
    ],
    'labels/remove-carried-with-500': [
      'removes a carried label, and answers 500 with the labels that are left',
      removingWith(500, (was) => was),
    ],
    'labels/not-removed-with-authorization': [
      'answers as it should where a label is removed with Authorization beside the key, and stores nothing',
      alsoAfter(({ does }, { request }) => does === 'remove' && request.headers.authorization !== undefined, put),
    ],
  }),
  ...breaking('labels/remove-is-idempotent', {
    'labels/remove-absent-hides-a-neighbour': [
      'takes another label off when an absent label is removed from a site, until the next is applied',
      hidingNeighbours((was) => !was),
    ],
    'labels/remove-absent-with-410': [
      'answers 410 with the carried labels to the removal of an absent label',
      removingWith(410, (was) => !was),
    ],
    'labels/remove-twice-in-a-row-410': [
      'answers 410 to the removal that follows one that took the label off, and to no other',
      refusingAbsent(410, (count) => count === 1),
    ],
    'labels/remove-long-absent-404': [
      'answers 404 where a label has not been carried for long, and 200 right after it was',
      refusingAbsent(404, (count) => count > 1),
    ],
    'labels/idle-remove-always-reset': [
      'closes the connection of whoever removes a label that is not carried',
      reset((write) => write.does === 'remove' && !carried(write)),
    ],
  }),
  ...breaking('labels/membership-is-a-set', {
    'labels/applies-are-counted': [
      'counts how often a label was applied, and takes it off after as many removals',
      (scene) => {
        const counts = new Map<object, number>();
        return then(({ does, holder }) => {
          const count = (counts.get(holder) ?? 0) + (does === 'apply' ? 1 : -1);
          counts.set(holder, Math.max(0, count));
          return does === 'remove' && count > 0;
        }, put)(scene);
      },
    ],
    'labels/label-by-pattern': ['removes labels by LIKE', readingUrl(/(\/label\/1abe1[\w-]{30})_$/, '$18')],
  }),
  ...breaking('labels/listing-gives-public-labels', {
    'labels/listing-has-some-numeric-ids': [
      'lists older labels with numbers for ids, and newer ones with UUIDs',
      inListed((label, index) => (label.name === 'spare' ? label : { ...label, id: index + 1 })),
    ],
  }),
  {
    id: 'labels/site-apply-is-post',
    breaks: 'labels/site-apply',
    does: 'applies a label to a site by POST, as its target file says',
    target: (target) => ({
      ...target,
      operations: {
        ...target.operations,
        applySiteLabel: { method: 'POST', path: '/v1/site/{id}/label/{labelId}', scopes: ['site:write'] },
      },
    }),
    around: onRequest(({ request }) =>
      request.method === 'POST' && /^\/v1\/site\/[^/]+\/label\//.test(request.url)
        ? { ...request, method: 'PUT' }
        : undefined,
    ),
  },
  ...breaking('labels/conversation-apply', {
    'labels/closed-apply-always-429': [
      'throttles whoever applies a label to a closed conversation, however slowly',
      throttled((write) => write.does === 'apply' && isClosed(write)),
    ],
    'labels/closed-apply-always-reset': [
      'closes the connection of whoever applies a label to a closed conversation',
      reset((write) => write.does === 'apply' && isClosed(write)),
    ],
  }),
  ...breaking('labels/site-apply', {
    'labels/stranger-site-apply-always-429': [
      'throttles the second tenant when it applies a label to a site, however slowly',
      throttled((write) => write.does === 'apply' && write.on === 'site' && write.tenant.name === 'globex'),
    ],
  }),
];
