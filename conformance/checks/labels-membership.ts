import type { RuleId } from '../../spec/rules.ts';
import { type Check, type CheckContext, check } from '../check.ts';
import { expectControl, expectSuccess, expectThat, statusOf } from '../expect.ts';
import { Inconclusive, Unexpected } from '../outcome.ts';
import { type Reply, succeeded } from '../reply.ts';
import { labelHolders } from './label-holders.ts';
import { expectSameOthers, type LabelScene, labelScene, type Stored } from './label-scene.ts';
import type { LabelPlace } from './legal-calls.ts';

/** One sentence of the specification's table on membership, judged by what is stored afterwards. */
interface Law {
  readonly slug: string;
  readonly rule: RuleId;
  readonly title: (holder: string) => string;
  readonly run: (scene: LabelScene, context: CheckContext) => Promise<void>;
}

/** A success where its path is proven already, so that any refusal is the operation's own word. */
function expectDone(reply: Reply, why: string): void {
  if (!reply.planned && !succeeded(reply)) throw new Unexpected(`${why}: a 2xx`, statusOf(reply));
}

function expectTimes({ reply, times }: Stored, wanted: number, why: string): void {
  const observed =
    times === 0 ? 'the label is not there' : `the label is there ${times === 1 ? 'once' : `${times} times`}`;
  expectThat(reply, times === wanted, why, `${observed}, as another request shows`);
}

/** What is judged next needs the label to be there; whether applying works is another check. */
function controlTimes({ reply, times }: Stored): void {
  if (!reply.planned && times === 0) throw new Inconclusive('the control failed: an applied label was not stored');
}

const laws: readonly Law[] = [
  {
    slug: 'apply-adds',
    rule: 'labels/apply-adds',
    title: (holder) => `a label applied to ${holder} is on it, and all others stay`,
    async run(scene, { deployment }) {
      const first = scene.before && (await scene.stored());
      await scene.borrow();
      expectSuccess(await scene.apply(), deployment, 'applying a public label');
      const after = await scene.stored();
      expectThat(after.reply, after.times > 0, 'the label is stored', 'another request does not show it');
      if (first !== null) expectSameOthers(after, first, 'applying');
    },
  },
  {
    slug: 'apply-again',
    rule: 'labels/apply-is-idempotent',
    title: (holder) => `applying a label that ${holder} carries succeeds and changes nothing`,
    async run(scene) {
      await scene.carried();
      // Reading may be applying again, and so be refused by the very fault that is looked for.
      const first = await scene.stored().catch((error: unknown) => {
        if (error instanceof Inconclusive) return error;
        throw error;
      });
      if (!(first instanceof Inconclusive)) controlTimes(first);
      expectDone(await scene.apply(), 'applying a label that is carried');
      if (first instanceof Inconclusive) throw first;
      const after = await scene.stored();
      expectTimes(after, first.times, 'applying again changes nothing');
      expectSameOthers(after, first, 'applying again');
    },
  },
  {
    slug: 'remove-removes',
    rule: 'labels/remove-removes',
    title: (holder) => `a label removed from ${holder} is gone, and all others stay`,
    async run(scene, { deployment }) {
      if (scene.told.length > 0) {
        // The scene was set by a removal, which may have taken more than it should.
        const left = await scene.tells();
        const lost = scene.told.filter((id) => !left.includes(id));
        const why = 'removing one label leaves the others';
        const seen = `${lost.join(', ')} gone from the context`;
        expectThat(scene.firstRemoval, lost.length === 0, why, seen, { final: true });
      }
      await scene.carried();
      const first = await scene.stored();
      controlTimes(first);
      expectSuccess(await scene.remove(), deployment, 'removing a label that is carried');
      const after = await scene.stored();
      expectTimes(after, 0, 'a removed label is gone');
      expectSameOthers(after, first, 'removing');
    },
  },
  {
    slug: 'remove-again',
    rule: 'labels/remove-is-idempotent',
    title: (holder) => `removing a label that ${holder} does not carry succeeds and changes nothing`,
    async run(scene) {
      await scene.carried();
      expectControl(await scene.remove(), 'removing a label that is carried');
      const first = await scene.stored();
      expectDone(await scene.remove(), 'removing a label that is not carried any more');
      const after = await scene.stored();
      expectTimes(after, first.times, 'removing again changes nothing');
      expectSameOthers(after, first, 'removing again');
      expectDone(scene.firstRemoval, 'removing a label that was never carried');
    },
  },
  {
    slug: 'is-a-set',
    rule: 'labels/membership-is-a-set',
    title: (holder) => `a label that was applied twice to ${holder} is there once, and one removal takes it off`,
    async run(scene) {
      await scene.carried();
      const again = await scene.apply();
      const after = await scene.stored();
      controlTimes(after);
      for (const [reply, times] of [
        [again, scene.times(again)],
        [after.reply, after.times],
      ] as const) {
        expectThat(reply, times <= 1, 'a set carries a label once', `the label is there ${times} times`);
      }
      expectControl(await scene.remove(), 'removing the label');
      const left = await scene.stored();
      expectTimes(left, 0, 'one removal takes off what was applied twice');
    },
  },
];

const words: Readonly<Record<string, string>> = {
  'open-conversation': 'an open conversation',
  'closed-conversation': 'a closed conversation',
  'current-site': 'a site',
  'legacy-site': 'a site with a bare id',
  link: 'a client-site link',
};

/** What every check that writes a label at a place declares. */
export const writing = ({ fact, apply, remove }: LabelPlace) => ({
  needs: [fact, 'spareLabel'] as const,
  uses: [apply, remove, 'listLabels'] as const,
  locks: [fact] as const,
  writes: 'labels' as const,
});

export const holderWords = ({ slug }: LabelPlace) => words[slug] ?? slug;

const ofHolders = laws.flatMap(({ slug, rule, title, run }) =>
  labelHolders.map((place) =>
    check({
      ...writing(place),
      id: `labels/${slug}/${place.slug}`,
      rule,
      title: title(holderWords(place)),
      run: async (context) => run(await labelScene(context, place), context),
    }),
  ),
);

const closed = labelHolders
  .filter(({ slug }) => slug === 'closed-conversation')
  .map((place) =>
    check({
      ...writing(place),
      id: 'labels/closed-conversation',
      rule: 'labels/closed-conversation-can-be-labelled',
      title: 'a closed conversation takes a label and gives it back',
      async run(context) {
        const scene = await labelScene(context, place);
        await scene.borrow();
        expectSuccess(await scene.apply(), context.deployment, 'a closed conversation can be labelled');
        const after = await scene.stored();
        expectTimes(after, 1, 'a closed conversation can be labelled');
        expectSuccess(await scene.remove(), context.deployment, 'a label of a closed conversation can be removed');
        expectTimes(await scene.stored(), 0, 'a label of a closed conversation can be removed');
      },
    }),
  );

/** Labels are a set on every holder; each law is judged by the store, not by the reply to the request itself. */
export const labelsMembership: readonly Check[] = [...ofHolders, ...closed];
