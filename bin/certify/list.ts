import { ruleById } from '../../spec/rules.ts';
import { duties } from './duties/index.ts';
import { variations } from './variations/index.ts';

/** All duties and variations that `--only` can select, with their rules. */
export function everythingTried() {
  const all = [
    ...duties.map(({ rule, title }) => ({ id: rule, kind: 'duty', title, rule })),
    ...variations.map(({ id, kind, title, rule }) => ({ id, kind, title, rule })),
  ];
  return all.map((one) => {
    const { provenance, level } = ruleById(one.rule);
    return { ...one, provenance, level };
  });
}

const titles = { duty: 'Duties', freedom: 'Freedoms', fault: 'Faults' } as const;

/** The list as text. */
export function listTable(): string {
  const all = everythingTried();
  const wide = Math.max(...all.map(({ id }) => id.length));
  const lines = Object.entries(titles).flatMap(([kind, title]) => [
    '',
    title,
    ...all
      .filter((one) => one.kind === kind)
      .map(
        ({ id, title: what, provenance, level }) =>
          `  ${id.padEnd(wide)}  ${`${provenance}, ${level}`.padEnd(18)}  ${what}`,
      ),
  ]);
  return `${lines.join('\n').trimStart()}\n`;
}
