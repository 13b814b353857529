import type { HookName } from '../../spec/files/hooks.ts';
import type { TargetTenant } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { Bench } from '../experiments/bench.ts';
import { type RecordUnderTest, recordOf } from '../experiments/record.ts';
import type { Deployment } from '../target/deployment.ts';
import { holderKey, labelOperations } from '../target/holder.ts';
import { holdersOf, type KnownHolder, missingHolders, sparesOf, tenantsOf } from '../target/records.ts';

/** What a script is for and what it needs. */
export interface ScriptFacts {
  /** Never renamed. The kind, the action and the record, such as `labels/life/closed-conversation`. */
  readonly id: string;
  /** One sentence about what is done. */
  readonly title: string;
  /** Rules that get evidence from it. Other laws judge its exchanges as well. */
  readonly tries: readonly RuleId[];
  /** Operations that it needs. */
  readonly uses?: readonly OperationId[];
  /** Hooks that it needs. It runs only with `--allow-hooks`. */
  readonly hooks?: readonly HookName[];
  /** The `holderKey`s of the records whose labels it writes. Scripts with a common lock do not run at the same time. */
  readonly locks?: readonly string[];
  /** `labels` are restored. `leftovers` cannot be removed and need `--allow-leftovers`. On a wrong deployment, `risk` may lose data for good; it needs `--allow-risk`. */
  readonly writes?: 'labels' | 'leftovers' | 'risk';
  /** Takes minutes. It runs only with `--slow`. */
  readonly slow?: true;
  /** Measures the limiter with the key for this purpose: `first`, before all other scripts, or `parallel` to them. */
  readonly limits?: 'first' | 'parallel';
}

/** Brings the deployment into a state that is worth judging, and sends requests. It contains no expectations. */
export interface Script extends ScriptFacts {
  run(b: Bench): Promise<void>;
}

/** A script for which the target file lacks fields. */
export interface Unready {
  readonly id: string;
  readonly tries: readonly RuleId[];
  readonly missing: readonly string[];
}

/** Generates the scripts of one kind, and those for which the target file lacks fields. */
export type Generate = (deployment: Deployment) => Iterable<Script | Unready>;

/** @param x,y ids of its spare labels, of which there is one at least */
type OnRecord = (b: Bench, record: RecordUnderTest, x: string, y?: string) => Promise<void>;

/** A script on the labels of one record, if any reply shows them. */
export function onRecord(
  facts: Pick<ScriptFacts, 'id' | 'title' | 'tries' | 'hooks'>,
  known: KnownHolder,
  tenant: TargetTenant,
  run: OnRecord,
): Script {
  return {
    ...facts,
    uses: Object.values(labelOperations[known.holder.kind]),
    locks: [holderKey(known.holder)],
    writes: 'labels',
    async run(b) {
      const record = await recordOf(b, known, tenant);
      const [x, y] = record.spares.map(({ id }) => id);
      if (record.isSeen && x !== undefined) await run(b, record, x, y);
    },
  };
}

/** The last record of each kind, which other scripts write the least. */
export const lastOfKind = (all: readonly KnownHolder[]): KnownHolder[] =>
  all.filter((one) => all.findLast(({ holder }) => holder.kind === one.holder.kind) === one);

/** The records whose labels are written: all of the tenant under test, and one of each kind of the other one. */
export const writtenRecords = (deployment: Deployment, tenant: TargetTenant): KnownHolder[] =>
  tenant === deployment.tenant ? holdersOf(tenant) : lastOfKind(holdersOf(tenant));

/** Such a script on each of these records. */
export function* onRecords(
  deployment: Deployment,
  kind: string,
  tries: (known: KnownHolder | null) => readonly RuleId[],
  title: (words: string) => string,
  run: OnRecord,
  tenants = tenantsOf(deployment),
  recordsOf = (tenant: TargetTenant) => writtenRecords(deployment, tenant),
): Generator<Script | Unready> {
  for (const [index, tenant] of tenants.entries()) {
    const idOf = (slug: string) => `${kind}/${index === 0 ? '' : 'theirs/'}${slug}`;
    for (const { slug, field } of index === 0 ? missingHolders(tenant, index) : [])
      yield { id: idOf(slug), tries: tries(null), missing: [field] };
    for (const known of recordsOf(tenant)) {
      const id = idOf(known.slug);
      if (sparesOf(tenant).length === 0) yield { id, tries: tries(known), missing: [`tenants[${index}].spareLabel`] };
      else
        yield onRecord(
          { id, title: title(`${known.words} of ${tenant.name}`), tries: tries(known) },
          known,
          tenant,
          run,
        );
    }
  }
}
