import { type Rule, ruleById } from '../../spec/rules.ts';
import { counted } from '../counted.ts';
import type { Law } from './law.ts';
import { areaOf, tagsOf } from './selection.ts';

/** A law with its rule, for `list` and `explain`. */
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

/** Two lines per law: id, level and provenance, then the title. */
export function lawTable(laws: readonly DescribedLaw[]): string {
  const width = Math.max(0, ...laws.map(({ id }) => id.length));
  const lines = laws.flatMap(({ id, title, rule }) => [
    `${id.padEnd(width)}  ${rule.level.padEnd(6)}  ${rule.provenance}`,
    `    ${title}`,
  ]);
  return `${[...lines, '', counted(laws.length, 'law')].join('\n')}\n`;
}

/** A script that gives evidence for a law. */
interface Feeding {
  readonly id: string;
  readonly title: string;
}

/** Some lines about a law. */
export function explanation({ id, title, rule }: DescribedLaw, scripts: readonly Feeding[]): string {
  const judged =
    rule.provenance !== 'documented'
      ? 'The specification does not say this. What the deployment does is reported and never fails a run.'
      : rule.level === 'must'
        ? 'A deviation fails the run.'
        : 'A deviation is a warning and does not fail the run.';
  const line = (one: Feeding) => `  ${one.id}: ${one.title}`;
  return `${[
    id,
    `  ${title}`,
    '',
    `Rule ${rule.id}, section ${rule.section}, ${rule.provenance}, ${rule.level}:`,
    `  ${rule.rule}`,
    `  ${judged}`,
    '',
    'This law judges every exchange that it applies to. These scripts give evidence for it:',
    ...(scripts.length > 0 ? scripts.map(line) : ['  none in particular']),
  ].join('\n')}\n`;
}
