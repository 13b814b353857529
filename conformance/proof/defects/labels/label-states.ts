import { asArray, asObject, errorWith, objectOf, withProperties } from '../../../../mock/proof/tampering/json-value.ts';
import { instead, onReply, onRequest, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { carried, isClosed, knowing, type LabelWrite, labelWriteOf, wasCarried } from '../../tampering/label-write.ts';

type Which = (write: LabelWrite) => boolean;

/** Labels that were applied over the API, without those of the fixtures. */
const isFresh: Which = ({ holder, label }) => label !== undefined && !holder.seededLabels.includes(label.id);

/** After a successful write the store changes once more, and the reply shows the changed set. */
const then = (which: (write: LabelWrite, was: boolean) => boolean, more: (write: LabelWrite) => void) =>
  knowing(
    wasCarried,
    (was) => (scene) =>
      onReply((answered) => {
        const write = answered.ok ? labelWriteOf(answered) : undefined;
        if (write === undefined || !isFresh(write) || !which(write, was())) return undefined;
        more(write);
        scene.reached();
        const labels = write.tenant.publicLabelsOf(write.holder).map(({ id, name }) => ({ id, name }));
        return withProperties(answered.reply, { labels });
      })(scene),
  );

/** Removes the last of the other public labels. */
function loseNeighbour({ tenant, holder, label }: LabelWrite): void {
  const other = tenant.publicLabelsOf(holder).findLast(({ id }) => id !== label?.id);
  const known = other && tenant.records.labels.get(other.id);
  if (known !== undefined) tenant.removeLabel(holder, known);
}

/** Answers some removals of public labels with a wrong status and the right body. */
const removingWith = (status: number, which: (was: boolean) => boolean) =>
  knowing(wasCarried, (was) =>
    onReply((answered) => {
      const write = answered.ok ? labelWriteOf(answered) : undefined;
      return write?.does === 'remove' && isFresh(write) && which(was()) ? { ...answered.reply, status } : undefined;
    }),
  );

/** Some removals from a site remove another label as well; the next apply restores it. */
const hidingNeighbours = (whichRemoval: (was: boolean) => boolean) => (scene: Scene) => {
  const hidden = new Map<object, LabelWrite['label']>();
  return then(
    ({ does, on }, was) => on === 'site' && (does === 'apply' ? !was : whichRemoval(was)),
    (write) => {
      const { does, tenant, holder, label } = write;
      const back = hidden.get(holder);
      if (back !== undefined) tenant.applyLabel(holder, back);
      hidden.delete(holder);
      if (does === 'apply') return;
      const last = tenant.publicLabelsOf(holder).findLast(({ id }) => id !== label?.id);
      hidden.set(holder, last && tenant.records.labels.get(last.id));
      loseNeighbour(write);
    },
  )(scene);
};

/** Executes the write, but answers 500. */
const doneWith500 = (does: LabelWrite['does'], which: Which) =>
  onReply((answered) => {
    const write = answered.ok ? labelWriteOf(answered) : undefined;
    return write?.does === does && isFresh(write) && which(write) ? { ...answered.reply, status: 500 } : undefined;
  });

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
  ['remove', 'labels/remove-removes', () => true],
  ['remove', 'labels/conversation-remove', on('conversation')],
  ['remove', 'labels/link-remove', on('link')],
  ['remove', 'labels/closed-conversation-can-be-labelled', isClosed],
] as const satisfies readonly (readonly [LabelWrite['does'], Defect['breaks'], Which])[];

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
          ({ does, tenant, holder, label }) => {
            const back = displaced.get(holder);
            const last = tenant.publicLabelsOf(holder).findLast(({ id }) => id !== label?.id);
            const known = last && tenant.records.labels.get(last.id);
            if (does === 'remove' && back !== undefined) tenant.applyLabel(holder, back);
            if (does === 'remove' || known === undefined) return;
            displaced.set(holder, known);
            tenant.removeLabel(holder, known);
          },
        )(scene);
      },
    ],
  }),
  ...breaking('labels/apply-is-idempotent', {
    'labels/fresh-apply-twice-toggles': [
      'removes a new label when it is applied a second time',
      then(
        ({ does }, was) => does === 'apply' && was,
        ({ tenant, holder, label }) => label && tenant.removeLabel(holder, label),
      ),
    ],
  }),
  ...breaking('labels/remove-removes', {
    'labels/remove-loses-a-neighbour': [
      'loses another label as well when a carried label is removed',
      then(({ does }, was) => does === 'remove' && was, loseNeighbour),
    ],
    'labels/remove-hides-a-neighbour': [
      'takes another label off as well when a carried label is removed from a site, until the next is applied',
      hidingNeighbours((was) => was),
    ],
    'labels/remove-carried-with-500': [
      'removes a carried label, and answers 500 with the labels that are left',
      removingWith(500, (was) => was),
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
  }),
  ...breaking('labels/membership-is-a-set', {
    'labels/applies-are-counted': [
      'counts how often a label was applied, and takes it off after as many removals',
      (scene) => {
        const counts = new Map<object, number>();
        return then(
          ({ does, holder }) => {
            const count = (counts.get(holder) ?? 0) + (does === 'apply' ? 1 : -1);
            counts.set(holder, Math.max(0, count));
            return does === 'remove' && count > 0;
          },
          ({ tenant, holder, label }) => label && tenant.applyLabel(holder, label),
        )(scene);
      },
    ],
  }),
  ...breaking('labels/listing-gives-public-labels', {
    'labels/listing-has-some-numeric-ids': [
      'lists older labels with numbers for ids, and newer ones with UUIDs',
      onReply(({ id, ok, reply }) =>
        id === 'listLabels' && ok
          ? withProperties(reply, {
              labels: asArray(objectOf(reply).labels).map((label, index) =>
                asObject(label).name === 'spare' ? label : { ...asObject(label), id: index + 1 },
              ),
            })
          : undefined,
      ),
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
];
