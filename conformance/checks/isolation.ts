import { operations } from '../../spec/operations.ts';
import { type Check, type CheckContext, check } from '../check.ts';
import { counted } from '../counted.ts';
import { expectControl, expectRefusal, expectThat } from '../expect.ts';
import type { FactName, Facts } from '../facts.ts';
import { membershipOf } from '../membership.ts';
import { Inconclusive, Unexpected } from '../outcome.ts';
import { type Reply, succeeded } from '../reply.ts';
import type { KeyOfTenant } from '../target/keys.ts';
import { canariesOf, sightings } from './canaries.ts';
import { listedLabels } from './label-reader.ts';
import { controlled, labelPlaces, legacySitePlace, legalCalls } from './legal-calls.ts';
import { refusedLabelWrites } from './refused-label-writes.ts';

/** What the stranger has in place of ours. */
const strangers: Partial<Record<FactName, FactName>> = {
  openConversation: 'strangerConversation',
  site: 'strangerSite',
  link: 'strangerLink',
  client: 'strangerLink',
};

/** The facts with the stranger's records in place of ours. */
const asStranger = (given: Facts): Facts => ({
  ...given,
  openConversation: given.strangerConversation,
  site: given.strangerSite,
  link: given.strangerLink,
  client: given.strangerLink?.clientId,
});

const strangerFacts = (facts: readonly FactName[]): FactName[] => facts.flatMap((fact) => strangers[fact] ?? []);

/** Operations that name a record and change nothing of it, both ways: each tenant's key with the other's ids. */
const crossings = legalCalls
  .filter(({ needs, neverSucceeds }) => needs.length > 0 && !neverSucceeds)
  .flatMap((legal): Check[] => {
    const rule =
      operations[legal.id].method === 'GET' ? 'isolation/reads-stay-in-tenant' : 'isolation/writes-stay-in-tenant';
    const words = operations[legal.id].summary.toLowerCase();
    const keys = { stranger: { of: 'stranger', scopes: operations[legal.id].scopes } } as const;
    return [
      check({
        id: `isolation/${legal.slug}/ours`,
        rule,
        title: `the other tenant's key is refused what is ours: ${words}`,
        needs: legal.needs,
        uses: [legal.id],
        keys,
        async run(context) {
          if (!(await controlled(context, legal))) return;
          const options = legal.options(context.given, context.newId);
          const reply = await context.call(legal.id, { ...options, as: context.keys.stranger });
          expectForeign(context, reply, legal.needs);
        },
      }),
      check({
        id: `isolation/${legal.slug}/theirs`,
        rule,
        title: `our key is refused what is the other tenant's: ${words}`,
        needs: strangerFacts(legal.needs),
        uses: [legal.id],
        keys,
        async run(context) {
          const options = legal.options(asStranger(context.given), context.newId);
          const control = await context.call(legal.id, { ...options, as: context.keys.stranger });
          if (legal.optional && !control.planned && !succeeded(control)) {
            context.observe('nothing to judge: only the public reference has this operation');
            return;
          }
          expectControl(control, 'the same request with the key of its owner');
          expectForeign(context, await context.call(legal.id, options), legal.needs);
        },
      }),
    ];
  });

/** @throws Unexpected unless refused; not where both tenants have a record of that id, each its own. */
function expectForeign({ deployment, observe }: CheckContext, reply: Reply, facts: readonly FactName[]): void {
  const bareId = facts.includes('site') && isShared(deployment);
  if (bareId) observe('both tenants have a site of this id, so that it shows nothing');
  else expectRefusal(reply, "what is another tenant's does not exist for a key");
}

/** Bare ids can be the same in two tenants. */
const isShared = ({ tenant, stranger }: CheckContext['deployment']) =>
  (tenant.sites?.current ?? tenant.sites?.legacy) === (stranger?.sites?.current ?? stranger?.sites?.legacy);

/** The stranger's key writes labels of ours, and nothing comes of it. */
const writesOnOurs = [...labelPlaces, legacySitePlace].map((place) =>
  check({
    id: `isolation/${place.slug}-labels/ours`,
    rule: 'isolation/writes-stay-in-tenant',
    title: `the other tenant's key changes no label of our ${place.slug.replace('-', ' ')}`,
    needs: [place.fact, 'spareLabel'],
    uses: [place.apply, place.remove, 'listLabels'],
    keys: { stranger: { of: 'stranger', scopes: operations[place.remove].scopes } },
    locks: [place.fact],
    writes: 'labels',
    async run(context) {
      await refusedLabelWrites(context, place, {
        refused: { as: context.keys.stranger ?? null },
        expectRefused: (reply, doing) => {
          // A bare id may be one that the stranger has too: whether ours was changed is what counts.
          if (place !== legacySitePlace) expectRefusal(reply, `${doing} of another tenant`);
        },
      });
    },
  }),
);

/** Our key writes a label on what is the stranger's; should that succeed, it is taken off again. */
const writesOnTheirs = labelPlaces.map((place) =>
  check({
    id: `isolation/${place.slug}-labels/theirs`,
    rule: 'isolation/writes-stay-in-tenant',
    title: `our key changes no label of the other tenant's ${place.slug}`,
    needs: [place.fact, 'spareLabel', ...strangerFacts([place.fact])],
    uses: [place.apply, place.remove],
    locks: [place.fact],
    writes: 'labels',
    async run(context) {
      const { call, given, deployment } = context;
      const ours = membershipOf(place.holder(given), given.spareLabel.id).params;
      const theirs = membershipOf(place.holder(asStranger(given)), given.spareLabel.id).params;
      // That the label and the operation are right shows on our own record, where removing what is not carried is harmless.
      expectControl(await call(place.remove, { params: ours }), 'the same removal on a record of our own');
      if (place.slug === 'site' && isShared(deployment)) {
        context.observe('both tenants have a site of this id, so that it shows nothing');
        return;
      }
      const applied = await call(place.apply, { params: theirs });
      const removed = await call(place.remove, { params: theirs });
      expectRefusal(applied, "applying a label to another tenant's record");
      expectRefusal(removed, "removing a label from another tenant's record");
    },
  }),
);

/** A label of the stranger on a record of ours. */
const foreignLabels = labelPlaces.map((place) =>
  check({
    id: `isolation/${place.slug}-labels/their-label`,
    rule: 'isolation/writes-stay-in-tenant',
    title: `a label of the other tenant cannot be put on our ${place.slug}`,
    needs: [place.fact, 'spareLabel'],
    uses: [place.apply, place.remove, 'listLabels'],
    keys: { stranger: { of: 'stranger' } },
    locks: [place.fact],
    writes: 'labels',
    async run(context) {
      const { call, given, observe, shared } = context;
      const holder = place.holder(given);
      const own = membershipOf(holder, given.spareLabel.id);
      expectControl(await call(own.remove, { params: own.params }), 'removing a label of our own');
      const list = (as?: KeyOfTenant) => call('listLabels', as === undefined ? {} : { as });
      const ours = await shared('isolation/our-labels', () => list());
      const theirs = await shared('isolation/their-labels', () => list(context.keys.stranger));
      expectControl(ours, 'listing our labels');
      expectControl(theirs, "listing the other tenant's labels");
      const known = new Set(listedLabels(ours).map(({ id }) => id.toLowerCase()));
      const foreign = listedLabels(theirs).find(({ id }) => !known.has(id.toLowerCase()))?.id;
      if (foreign === undefined) {
        observe('the other tenant lists no label that we do not');
        return;
      }
      const { apply, remove, params } = membershipOf(holder, foreign);
      const applied = await call(apply, { params });
      if (!applied.planned && succeeded(applied)) await call(remove, { params });
      expectRefusal(applied, 'applying a label of another tenant');
    },
  }),
);

/** A file of ours, registered by the stranger: refused, and still ours to register. */
const fileCrossing = check({
  id: 'isolation/file-register/ours',
  rule: 'isolation/writes-stay-in-tenant',
  title: "the other tenant's key cannot register a file that we have uploaded, nor spoil it for us",
  needs: ['site'],
  uses: ['startSiteFileUpload', 'registerSiteFile'],
  keys: { stranger: { of: 'stranger', scopes: operations.registerSiteFile.scopes } },
  writes: 'leftovers',
  async run({ call, put, given, keys }) {
    const params = { id: given.site };
    const upload = async () => {
      const contentType = 'text/plain';
      const started = await call('startSiteFileUpload', { params, body: { contentType } });
      expectControl(started, 'starting an upload');
      const { fileKey, uploadUrl } = uploadTarget(started);
      const bytes = new TextEncoder().encode('partnerkit conformance: isolation');
      expectControl(await put(uploadUrl, contentType, bytes), 'uploading the bytes');
      return { fileKey, name: 'partnerkit-isolation.txt' };
    };
    const control = await call('registerSiteFile', { params, body: await upload() });
    expectControl(control, 'registering a file of our own');
    const body = await upload();
    const crossed = await call('registerSiteFile', { params, body, as: keys.stranger });
    const own = await call('registerSiteFile', { params, body });
    expectRefusal(crossed, "registering another tenant's file");
    expectThat(own, succeeded(own), 'the file is still ours to register', `answered ${own.status}`);
  },
});

function uploadTarget({ json, planned, what }: Reply): { readonly fileKey: string; readonly uploadUrl: string } {
  const { fileKey, uploadUrl } = (json ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof fileKey === 'string' && typeof uploadUrl === 'string') return { fileKey, uploadUrl };
  if (planned) return { fileKey: '00000000-0000-4000-8000-000000000000', uploadUrl: 'https://storage.example/upload' };
  throw new Inconclusive(`${what} answered no fileKey and uploadUrl`);
}

/** A bare id can be that of a site in both tenants: what must not happen is that one answers for the other. */
const legacySite = check({
  id: 'isolation/legacy-site/ours',
  rule: 'isolation/reads-stay-in-tenant',
  title: "the other tenant's key is not answered with our legacy site",
  needs: ['legacySite'],
  uses: ['getSite'],
  keys: { stranger: { of: 'stranger', scopes: operations.getSite.scopes } },
  async run({ call, given, keys, observe }) {
    const params = { id: given.legacySite };
    const ours = await call('getSite', { params });
    const theirs = await call('getSite', { params, as: keys.stranger });
    if (!succeeded(ours)) observe('nothing to judge: only the public reference has this operation');
    // Two sites that hold nothing but the id they share look alike by right.
    const tells = Object.keys(ours.json ?? {}).length > 2;
    const same = tells && succeeded(theirs) && theirs.text === ours.text;
    expectThat(theirs, !same, 'a site of its own, or none', "our site in reply to the other tenant's key");
  },
});

/** Every reply of the run, searched for ids that only the other tenant has. */
const everyReply = (
  [
    ['theirs-nowhere', "no reply to our keys carries an id of the other tenant's", undefined],
    ['ours-nowhere', 'no reply to the other tenant carries an id of ours', 'stranger'],
  ] as const
).map(([slug, title, reader]) =>
  check({
    id: `isolation/every-reply/${slug}`,
    rule: 'isolation/reads-stay-in-tenant',
    title,
    needs: ['openConversation', 'strangerConversation'],
    uses: ['getConversationContext', 'listLabels'],
    keys: { reader: { ...(reader && { of: reader }), scopes: operations.getConversationContext.scopes } },
    after: 'everything',
    async run({ call, given, keys, deployment, replies, observe }) {
      const { tenant, stranger } = deployment;
      if (stranger === undefined) return;
      const [readers, others] = reader === undefined ? [tenant, stranger] : [stranger, tenant];
      // Alone too this check has something to search.
      const id = reader === undefined ? given.openConversation : given.strangerConversation;
      await call('getConversationContext', { params: { id }, as: keys.reader });
      await call('listLabels', { as: keys.reader });

      const shared = new Set(canariesOf(readers).map((value) => value.toLowerCase()));
      const canaries = canariesOf(others).filter((value) => !shared.has(value.toLowerCase()));
      const searched = replies().filter(
        ({ exchange: { operationId, key } }) =>
          operationId !== 'storage' && (key === null || key.startsWith(`${readers.name}/`)),
      );
      const [sighting] = sightings(searched, canaries);
      if (sighting !== undefined && !sighting.reply.planned) {
        const { reply, canary } = sighting;
        throw new Unexpected(`no id of ${others.name} in a reply to ${reply.exchange.key}`, `${reply.what}: ${canary}`);
      }
      observe(`${counted(searched.length, 'reply', 'replies')} searched for ${counted(canaries.length, 'id')}`);
    },
  }),
);

/** That no tenant sees or changes what is another's. Pairs: the owner's request succeeds, the same one of another is refused. */
export const isolation: readonly Check[] = [
  ...crossings,
  ...writesOnOurs,
  ...writesOnTheirs,
  ...foreignLabels,
  fileCrossing,
  legacySite,
  ...everyReply,
];
