import type { Rule } from '../spec/rules.ts';

const width = 100;
const indent = '    ';

/**
 * Rules as text of at most 100 columns, by section. Each rule has a line with id, level, provenance and verification, and its
 * sentence below.
 */
export function rulesTable(rules: readonly Rule[]): string {
  const idWidth = Math.max(...rules.map(({ id }) => id.length), 0);
  const lines = rules.flatMap((rule, position) => [
    ...(rules[position - 1]?.section === rule.section ? [] : ['', rule.section]),
    `  ${rule.id.padEnd(idWidth)}  ${rule.level.padEnd(6)}  ${rule.provenance.padEnd(10)}  ${rule.verification.join(', ')}`,
    ...wrap(rule.rule),
    ...(rule.behaviour === undefined ? [] : wrap(`Mock: ${rule.behaviour}.`)),
    ...(rule.reason === undefined ? [] : wrap(`Because: ${rule.reason}.`)),
  ]);
  const failing = rules.filter(
    ({ level, provenance, verification: by }) =>
      level === 'must' && provenance === 'documented' && (by.includes('conformance') || by.includes('load')),
  ).length;
  return [...lines, '', `${rules.length} rules; ${failing} of them can fail a deployment (documented must rules)`, '']
    .join('\n')
    .trimStart();
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line !== indent && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line];
}
