import type { Rule } from '../spec/rules.ts';
import { ruleById } from '../spec/rules.ts';
import { areaOf, type Check } from './check.ts';
import { counted } from './counted.ts';
import { fieldOf } from './facts.ts';
import type { Kill } from './kill-matrix.ts';
import { tagsOf } from './selection.ts';
import type { KeyNeed } from './target/keys.ts';

/** A check as people look it up. */
export interface DescribedCheck {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  readonly rule: Pick<Rule, 'id' | 'rule' | 'section' | 'provenance' | 'level'>;
  /** Fields of the target file. */
  readonly needs: readonly string[];
  /** Operations that the deployment must have. */
  readonly uses: readonly string[];
  /** Keys beyond those that its operations need, in words. */
  readonly keys: readonly string[];
  readonly writes: 'labels' | 'leftovers' | null;
  readonly tags: readonly string[];
}

export function describeCheck(check: Check): DescribedCheck {
  const { id, rule, section, provenance, level } = ruleById(check.rule);
  return {
    id: check.id,
    area: areaOf(check),
    title: check.title,
    rule: { id, rule, section, provenance, level },
    needs: [...new Set((check.needs ?? []).map(fieldOf))],
    uses: check.uses ?? [],
    keys: Object.values(check.keys ?? {}).map(describeKey),
    writes: check.writes ?? null,
    tags: tagsOf(check),
  };
}

function describeKey({ of, scopes = [], lacks, revoked, use }: KeyNeed): string {
  return [
    revoked ? 'a revoked key' : use === 'limits' ? 'a key with use: limits' : 'a key',
    ...(of === 'stranger' ? ['of the second tenant'] : []),
    ...(scopes.length > 0 ? [`with ${scopes.join(' and ')}`] : []),
    ...(lacks === undefined ? [] : [`without ${lacks}`]),
  ].join(' ');
}

/** A row per check: id, level, provenance, what it writes; below it rule and needs. */
export function checkTable(checks: readonly DescribedCheck[]): string {
  const width = Math.max(0, ...checks.map(({ id }) => id.length));
  const lines = checks.flatMap((check) => [
    `${check.id.padEnd(width)}  ${check.rule.level.padEnd(6)}  ${check.rule.provenance.padEnd(10)}  ${check.writes === null ? 'reads' : `writes ${check.writes}`}`,
    `    ${check.title}`,
    `    rule ${check.rule.id}${needsLine(check) === '' ? '' : `; needs ${needsLine(check)}`}`,
  ]);
  return `${[...lines, '', counted(checks.length, 'check')].join('\n')}\n`;
}

const needsLine = ({ needs, keys }: DescribedCheck) => [...needs, ...keys].join(', ');

const writing = {
  labels: 'It puts labels on and takes them off again.',
  leftovers: 'It leaves a file behind, which the API cannot delete: only with --allow-leftovers.',
} as const;

/** @param defects null where the proof has not been run */
export function explanation(check: DescribedCheck, defects: readonly Kill[] | null): string {
  const { rule, needs, keys, uses, tags } = check;
  const judged =
    rule.provenance !== 'documented'
      ? 'The specification does not say so: whatever the deployment does is reported, and never fails a run.'
      : rule.level === 'must'
        ? 'A deviation fails the run.'
        : 'A deviation is a warning and does not fail the run.';
  const proof =
    defects === null
      ? ['No kill matrix is here (conformance/proof/kill-matrix.json): the defects that prove it have not been run.']
      : defects.length === 0
        ? ['No defect in the kill matrix proves it.']
        : ['It fails, as it must, on:', ...defects.map(({ id, does }) => `  ${id}: ${does}`)];
  return `${[
    check.id,
    `  ${check.title}`,
    '',
    `Rule ${rule.id}, section ${rule.section}, ${rule.provenance}, ${rule.level}:`,
    `  ${rule.rule}`,
    `  ${judged}`,
    '',
    `Needs of the target file: ${[...needs, ...keys].join(', ') || 'nothing but a key'}`,
    `Calls: ${uses.join(', ') || 'no operation by name'}`,
    check.writes === null ? 'It only reads.' : writing[check.writes],
    ...(tags.includes('slow') ? ['It takes more than five minutes: only with --slow.'] : []),
    '',
    ...proof,
  ].join('\n')}\n`;
}
