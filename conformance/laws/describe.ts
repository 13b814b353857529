import { type Rule, ruleById } from '../../spec/rules.ts';
import { counted } from '../counted.ts';
import type { Law } from './judging/law.ts';
import { areaOf, tagsOf } from './selection.ts';

/** A law as people look it up. */
interface DescribedLaw {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  readonly rule: Pick<Rule, 'id' | 'rule' | 'section' | 'provenance' | 'level'>;
  readonly tags: readonly string[];
}

export function describeLaw(law: Law): DescribedLaw {
  const { id, rule, section, provenance, level } = ruleById(law.rule);
  return {
    id: law.id,
    area: areaOf(law),
    title: law.title,
    rule: { id, rule, section, provenance, level },
    tags: tagsOf(law),
  };
}

/** A row per law: id, level, provenance; below it what holds. */
export function lawTable(laws: readonly DescribedLaw[]): string {
  const width = Math.max(0, ...laws.map(({ id }) => id.length));
  const lines = laws.flatMap(({ id, title, rule }) => [
    `${id.padEnd(width)}  ${rule.level.padEnd(6)}  ${rule.provenance}`,
    `    ${title}`,
  ]);
  return `${[...lines, '', counted(laws.length, 'law')].join('\n')}\n`;
}

/** A situation that gives evidence for a law, as far as a target file allows. */
interface Feeding {
  readonly id: string;
  readonly title: string;
}

/** A defect that a law was seen to find. */
interface Found {
  readonly id: string;
  readonly does: string;
}

/** @param defects null where the proof has not been run */
export function explanation(
  { id, title, rule }: DescribedLaw,
  situations: readonly Feeding[],
  defects: readonly Found[] | null,
): string {
  const judged =
    rule.provenance !== 'documented'
      ? 'The specification does not say so: whatever the deployment does is reported, and never fails a run.'
      : rule.level === 'must'
        ? 'A deviation fails the run.'
        : 'A deviation is a warning and does not fail the run.';
  const proof =
    defects === null
      ? ['No kill matrix is here: the defects that prove it have not been run.']
      : defects.length === 0
        ? ['No defect in the kill matrix proves it.']
        : ['It is broken, as it must be, by:', ...defects.map((defect) => `  ${defect.id}: ${defect.does}`)];
  const line = (one: Feeding) => `  ${one.id}: ${one.title}`;
  return `${[
    id,
    `  ${title}`,
    '',
    `Rule ${rule.id}, section ${rule.section}, ${rule.provenance}, ${rule.level}:`,
    `  ${rule.rule}`,
    `  ${judged}`,
    '',
    'It judges every exchange that it applies to. These situations are meant to give it evidence:',
    ...(situations.length > 0 ? situations.map(line) : ['  none of its own']),
    '',
    ...proof,
  ].join('\n')}\n`;
}
