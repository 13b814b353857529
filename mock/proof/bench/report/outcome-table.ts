import { goals, reaches } from './goals.ts';
import type { Measurement } from './measurement.ts';

/**
 * The outcome as a Markdown table: each figure with its goal, and the minimum and maximum of all rounds.
 * @param otherwise the reason of a miss for which the measurement itself knows none
 */
export function outcomeTable(measurements: readonly Measurement[], otherwise: string): string {
  const rows = measurements.map(({ goal, what, figure, unit, detail, reason }) => {
    const wanted = goal === null ? null : goals[goal];
    return [
      wanted?.what ?? what ?? '',
      wanted === null ? '' : `${wanted.relation} ${wanted.bound} ${wanted.unit}`,
      `${number(figure.median)} ${unit}`,
      figure.values.length > 1 ? `${number(figure.min)} to ${number(figure.max)}` : '',
      wanted === null ? '' : reaches(wanted, figure.median) ? 'hit' : `**miss**: ${reason ?? otherwise}`,
      detail,
    ];
  });
  const head = ['what', 'goal', 'median', 'min to max', '', 'made of'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Three digits that count: more would be noise. */
const number = (value: number) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
