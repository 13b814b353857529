import type { RuleId } from '../../spec/rules.ts';
import { ruleById } from '../../spec/rules.ts';
import type { Check } from '../check.ts';
import type { DefectResult } from './judge-defect.ts';
import type { FalseAlarm, VariantResult } from './judge-variant.ts';
import type { LegalVariant } from './legal-variants/legal-variant.ts';

/** Everything that came of a variant, over all its runs. */
export interface VariantRow {
  readonly id: string;
  readonly does: string;
  readonly runs: number;
  /** Runs that ended conformant: of the others something could not be told over a bad network. */
  readonly conformant: number;
  readonly falseAlarms: readonly (FalseAlarm & { readonly profile: string; readonly seed: number })[];
  /** How many times a check could not tell, over all runs. */
  readonly inconclusive: number;
}

/** What the proof came to; written to `kill-matrix.json`, with nothing in it that differs from run to run. */
export interface ProofMatrix {
  readonly checks: readonly { readonly id: string; readonly rule: RuleId }[];
  readonly defects: readonly Omit<DefectResult, 'duration'>[];
  readonly variants: readonly VariantRow[];
  readonly seeds: number;
  readonly networks: readonly string[];
}

export function proofMatrix(
  checks: readonly Check[],
  defects: readonly DefectResult[],
  variants: readonly LegalVariant[],
  runs: readonly VariantResult[],
): ProofMatrix {
  return {
    checks: checks.map(({ id, rule }) => ({ id, rule })),
    defects: defects.map(({ duration: _, ...defect }) => defect),
    variants: variants.map(({ id, does }) => rowOf(id, does, runs)),
    seeds: new Set(runs.map(({ seed }) => seed)).size,
    networks: [...new Set(runs.map(({ profile }) => profile))],
  };
}

function rowOf(id: string, does: string, all: readonly VariantResult[]): VariantRow {
  const runs = all.filter(({ variant }) => variant === id);
  const falseAlarms = runs.flatMap((run) =>
    run.falseAlarms.map((alarm) => ({ ...alarm, profile: run.profile, seed: run.seed })),
  );
  return {
    id,
    does,
    runs: runs.length,
    conformant: runs.filter(({ exitCode }) => exitCode === 0).length,
    falseAlarms: falseAlarms.slice(0, 20),
    inconclusive: runs.reduce((sum, { inconclusive }) => sum + inconclusive.length, 0),
  };
}

/** The counts that sum the proof up. */
export interface Tally {
  /** Defects that break a documented rule, and how many of them a check of that rule has found. */
  readonly defects: number;
  readonly killed: number;
  /** Legal answers to open questions other than the assumed ones, and how many were reported. */
  readonly deviations: number;
  readonly noticed: number;
  /** Defects that nobody can see, and how many of them survived. */
  readonly invisible: number;
  readonly survived: number;
  readonly runs: number;
  readonly falseAlarms: number;
  readonly unproven: number;
}

export function tallyOf(matrix: ProofMatrix): Tally {
  const { defects, variants } = matrix;
  const visible = defects.filter(({ survives }) => !survives);
  const real = visible.filter(({ breaks }) => ruleById(breaks).provenance === 'documented');
  const open = visible.filter(({ breaks }) => ruleById(breaks).provenance !== 'documented');
  const invisible = defects.filter(({ survives }) => survives);
  const of = (all: ProofMatrix['defects'], wanted: string) => all.filter(({ fate }) => fate === wanted).length;
  return {
    defects: real.length,
    killed: of(real, 'killed'),
    deviations: open.length,
    noticed: of(open, 'killed'),
    invisible: invisible.length,
    survived: of(invisible, 'survived'),
    runs: variants.reduce((sum, { runs }) => sum + runs, 0),
    falseAlarms: variants.reduce((sum, { falseAlarms }) => sum + falseAlarms.length, 0),
    unproven: unprovenChecks(matrix).length,
  };
}

/** These only ask: the specification has no words for what they look at, and whatever they see they pass. */
const onlyAsking = new Set(['upload/put-tampered']);

/** Checks of documented rules that no defect has made fail: nothing shows that they can. */
export function unprovenChecks({ checks, defects }: Pick<ProofMatrix, 'checks' | 'defects'>): string[] {
  const failed = new Set(defects.flatMap(({ killedBy, collateral }) => [...killedBy, ...collateral]));
  return checks
    .filter(({ id, rule }) => ruleById(rule).provenance === 'documented' && !failed.has(id) && !onlyAsking.has(id))
    .map(({ id }) => id);
}

/**
 * Whatever makes the proof fail, in a sentence each.
 * @param before the matrix of the last time: what a check found then, it has to find now
 */
export function proofProblems(matrix: ProofMatrix, before: ProofMatrix | null): string[] {
  const problems: string[] = [];
  for (const { id, breaks, fate, survives, killedBy } of matrix.defects) {
    if (fate === 'noise') problems.push(`noise: ${id} was never reached`);
    if (fate === 'survived' && !survives) problems.push(`survivor: no check of ${breaks} fails on ${id}`);
    if (fate === 'killed' && survives) problems.push(`${id} cannot be seen, but ${killedBy.join(', ')} failed on it`);
  }
  for (const { id, falseAlarms } of matrix.variants) {
    for (const { check, outcome, message, profile, seed } of falseAlarms.slice(0, 3)) {
      problems.push(`false alarm: ${check}, ${outcome} on ${id} (${profile}, seed ${seed}): ${message}`);
    }
  }
  for (const check of unprovenChecks(matrix)) problems.push(`unproven: no defect makes ${check} fail`);
  if (before !== null) problems.push(...changedSince(matrix, before));
  return problems;
}

/**
 * Pairs of defect and check that came out otherwise, between defects and checks that there still are: a check no longer finds
 * a defect, or judges what it had reason not to.
 */
function* changedSince(matrix: ProofMatrix, before: ProofMatrix): Generator<string> {
  const checks = new Set(matrix.checks.map(({ id }) => id));
  const remedy = 'if that is right, npm run proof -- --accept';
  for (const { id, killedBy, inconclusive } of before.defects) {
    const now = matrix.defects.find((defect) => defect.id === id);
    if (now === undefined) continue;
    for (const check of killedBy) {
      if (!checks.has(check) || now.killedBy.includes(check)) continue;
      yield `lost: ${check} failed on ${id} before, and does no more; ${remedy}`;
    }
    for (const check of inconclusive) {
      if (!checks.has(check) || now.inconclusive.includes(check)) continue;
      yield `judged: ${check} could not tell about ${id} before, and does now; ${remedy}`;
    }
  }
}
