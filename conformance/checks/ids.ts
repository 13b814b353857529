import type { OperationId } from '../../spec/operations.ts';
import { type CallOptions, type Check, check } from '../check.ts';
import { expectControl, expectRefusal, expectSuccess, expectThat } from '../expect.ts';
import type { FactName, Facts } from '../facts.ts';
import { membershipOf } from '../membership.ts';
import { succeeded } from '../reply.ts';
import { type LabelPlace, labelPlaces, legacySitePlace } from './legal-calls.ts';

/** Sites of both forms of id are addressed alike. */
const addressed = (
  [
    ['current-site', 'ids/site-id', 'currentSite', ({ currentSite }) => currentSite],
    ['legacy-site', 'ids/legacy-site-id-works', 'legacySite', ({ legacySite }) => legacySite],
  ] satisfies [string, 'ids/site-id' | 'ids/legacy-site-id-works', FactName, (given: Facts) => string][]
).flatMap(
  ([slug, rule, fact, idOf]: [
    string,
    'ids/site-id' | 'ids/legacy-site-id-works',
    FactName,
    (given: Facts) => string,
  ]): Check[] => {
    const words = slug.replace('-', ' ');
    return [
      check({
        id: `ids/${slug}/upload-start`,
        rule,
        title: `an upload for a ${words} is started under its id`,
        needs: [fact],
        uses: ['startSiteFileUpload'],
        async run({ call, given, deployment }) {
          const options = { params: { id: idOf(given) }, body: { contentType: 'text/plain' } };
          expectSuccess(await call('startSiteFileUpload', options), deployment, `a ${words} is found by its id`);
        },
      }),
      check({
        id: `ids/${slug}/labels`,
        rule,
        title: `labels of a ${words} are applied and removed under its id`,
        needs: [fact, 'spareLabel'],
        uses: ['applySiteLabel', 'removeSiteLabel'],
        locks: [fact],
        writes: 'labels',
        async run({ call, given, deployment, borrow }) {
          const holder = { kind: 'site', id: idOf(given) } as const;
          const { apply, remove, params } = membershipOf(holder, given.spareLabel.id);
          // Removing first: what cannot be taken off is not put on.
          expectSuccess(await call(remove, { params }), deployment, `a ${words} is found by its id`);
          await borrow(holder, given.spareLabel.id);
          expectSuccess(await call(apply, { params }), deployment, `a ${words} is found by its id`);
        },
      }),
    ];
  },
);

/** That the operations are where we look for them shows on the other site, so that 404 is about the id. */
const legacyLikeCurrent = check({
  id: 'ids/legacy-site/labels-like-current',
  rule: 'ids/legacy-site-id-works',
  title: 'where labels of a current site are applied and removed, so are those of a legacy site',
  needs: ['legacySite', 'currentSite', 'spareLabel'],
  uses: ['applySiteLabel', 'removeSiteLabel'],
  locks: ['legacySite', 'currentSite'],
  writes: 'labels',
  async run({ call, given, borrow }) {
    const both = [given.currentSite, given.legacySite].map((id) => ({ kind: 'site', id }) as const);
    for (const which of ['remove', 'apply'] as const) {
      if (which === 'apply') for (const holder of both) await borrow(holder, given.spareLabel.id);
      const [current, legacy] = both.map((holder) => membershipOf(holder, given.spareLabel.id));
      if (current === undefined || legacy === undefined) continue;
      expectControl(await call(current[which], { params: current.params }), 'the same on the current site');
      const reply = await call(legacy[which], { params: legacy.params });
      expectThat(reply, succeeded(reply), 'a legacy site is found by its id', `answered ${reply.status}`);
    }
  },
});

const emptySiteId = check({
  id: 'ids/site-id/empty',
  rule: 'ids/site-id',
  title: 'an empty site id names no site',
  needs: ['site'],
  uses: ['startSiteFileUpload'],
  async run({ call, given, deployment }) {
    const body = { contentType: 'text/plain' };
    expectControl(await call('startSiteFileUpload', { params: { id: given.site }, body }), 'the same with an id');
    const path = deployment.operation('startSiteFileUpload')?.path.replace('{id}', '') ?? '';
    const reply = await call('startSiteFileUpload', { path, body });
    expectThat(reply, !succeeded(reply), 'no success', `answered ${reply.status}`);
  },
});

/** An id that is nearly the right one: whoever looks it up leniently finds the record all the same. */
const mangled = (id: string): readonly (readonly [string, string])[] => [
  ['not-a-uuid', 'not-a-uuid'],
  // Position or row number.
  ['number', '1'],
  ['truncated', id.slice(0, -1)],
  ['extended', `${id}0`],
];

interface Place {
  readonly slug: string;
  readonly id: OperationId;
  readonly needs: readonly FactName[];
  readonly options: (given: Facts, id: string) => CallOptions;
  readonly right: (given: Facts) => string;
  /** What the lawful request changes, were the label carried. */
  readonly locks?: readonly FactName[];
}

/** Path parameters whose form is documented, in each operation that takes them and can be tried without a trace. */
const places: readonly Place[] = [
  {
    slug: 'conversation-id/context',
    id: 'getConversationContext',
    needs: ['openConversation'],
    options: (_, id) => ({ params: { id } }),
    right: ({ openConversation }) => openConversation,
  },
  {
    slug: 'conversation-id/conversation',
    id: 'getConversation',
    needs: ['openConversation'],
    options: (_, id) => ({ params: { id } }),
    right: ({ openConversation }) => openConversation,
  },
  {
    slug: 'conversation-id/label-remove',
    id: 'removeConversationLabel',
    needs: ['openConversation', 'spareLabel'],
    options: ({ spareLabel }, id) => ({ params: { id, labelId: spareLabel.id } }),
    right: ({ openConversation }) => openConversation,
    locks: ['openConversation'],
  },
  ...[...labelPlaces, legacySitePlace].map(
    ({ slug, fact, remove, holder }: LabelPlace): Place => ({
      slug: `label-id/${slug}-label-remove`,
      id: remove,
      needs: [fact, 'spareLabel'],
      options: (given, id) => ({ params: membershipOf(holder(given), id).params }),
      right: ({ spareLabel }) => spareLabel.id,
      locks: [fact],
    }),
  ),
];

const malformed = places.map(({ slug, id, needs, options, right, locks }) =>
  check({
    id: `ids/malformed/${slug}`,
    rule: 'ids/malformed-is-refused',
    title: `an id that is not a UUID is refused: ${slug.replace('/', ', ')}`,
    needs,
    uses: [id],
    ...(locks && { locks, writes: 'labels' }),
    async run({ call, given }) {
      expectControl(await call(id, options(given, right(given))), 'the same request with the right id');
      for (const [how, wrong] of mangled(right(given))) {
        expectRefusal(await call(id, options(given, wrong)), `an id of another form (${how}) names nothing`);
      }
    },
  }),
);

const malformedClient = check({
  id: 'ids/malformed/client-id/link-label-remove',
  rule: 'ids/malformed-is-refused',
  title: 'a client id that does not start with ovcid- is refused',
  needs: ['link', 'spareLabel'],
  uses: ['removeClientSiteLabel'],
  locks: ['link'],
  writes: 'labels',
  async run({ call, given }) {
    const { clientId, siteId } = given.link;
    const remove = (client: string) =>
      call('removeClientSiteLabel', { params: { clientId: client, siteId, labelId: given.spareLabel.id } });
    expectControl(await remove(clientId), 'the same request with the right id');
    for (const wrong of [clientId.replace(/^ovcid-/, ''), clientId.replace(/^ovcid-/, 'ovaid-')]) {
      expectRefusal(await remove(wrong), 'a client id without ovcid- names nobody');
    }
  },
});

/** Applying has a look-up of its own: a label of another form can be put nowhere. */
const malformedApply = labelPlaces.map((place) =>
  check({
    id: `ids/malformed/label-id/${place.slug}-label-apply`,
    rule: 'ids/malformed-is-refused',
    title: `a label id that is not a UUID cannot be put on a ${place.slug}`,
    needs: [place.fact, 'spareLabel'],
    uses: [place.apply, place.remove],
    locks: [place.fact],
    writes: 'labels',
    async run({ call, given, borrow }) {
      const holder = place.holder(given);
      const { params } = membershipOf(holder, given.spareLabel.id);
      expectControl(await call(place.remove, { params }), 'removing a label that is not carried');
      await borrow(holder, given.spareLabel.id);
      expectControl(await call(place.apply, { params }), 'applying the label by its id');
      for (const [how, wrong] of mangled(given.spareLabel.id)) {
        const reply = await call(place.apply, { params: membershipOf(holder, wrong).params });
        expectRefusal(reply, `a label id of another form (${how}) names nothing`);
      }
    },
  }),
);

/** The forms of ids, and that what has another form names nothing. */
export const ids: readonly Check[] = [
  ...addressed,
  legacyLikeCurrent,
  emptySiteId,
  ...malformed,
  malformedClient,
  ...malformedApply,
];
