import type { Target } from '../spec/files/target.ts';
import { terminalText } from '../spec/text/terminal-text.ts';
import type { Check } from './check.ts';
import { checks as allChecks } from './checks/index.ts';
import { type ConformanceOptions, runConformance } from './index.ts';
import type { ReportRow } from './reports/report-schema.ts';
import { checkById } from './validate-selection.ts';

export type ReplayOptions = Pick<
  ConformanceOptions,
  'checks' | 'environment' | 'journal' | 'timeout' | 'signal' | 'allowLeftovers'
>;

/**
 * Runs one check again, however long it takes. A check that judges all replies of a run has only its own to judge here.
 * @throws ConfigurationError for an id that no check has, PreflightError when nobody answers
 */
export async function replay(id: string, target: string | Target, options: ReplayOptions = {}): Promise<ReportRow> {
  const all: readonly Check[] = options.checks ?? allChecks;
  const check = checkById(id, all);
  const { rows } = await runConformance(target, { ...options, checks: [check], slow: true });
  const [row] = rows;
  if (row === undefined) throw new Error(`the run of ${id} gave no result`);
  return row;
}

/** A check with every exchange as it went over the wire, secrets by name. */
export function evidenceText(row: ReportRow): string {
  const { rule, expected, observed, exchanges } = row;
  const lines = [
    `${row.id}: ${row.outcome}`,
    `  ${row.title}`,
    `  rule: ${rule.text} (${rule.id}, ${rule.section}, ${rule.provenance}, ${rule.level})`,
    ...(expected === null ? [`  ${row.message}`] : [`  expected: ${expected}`, `  observed: ${observed}`]),
  ];
  exchanges.forEach((exchange, position) => {
    const took = Math.round(exchange.doneAt - exchange.sentAt);
    lines.push(
      '',
      `--- ${position + 1} of ${exchanges.length}: ${exchange.operationId}, ${exchange.key ?? 'no key'}, ${took} ms`,
      `> ${exchange.method} ${exchange.url}`,
      ...headers('>', exchange.requestHeaders),
      ...(exchange.requestBody === null ? [] : ['', exchange.requestBody, '']),
      exchange.error === null ? `< ${exchange.status}` : `< no reply: ${exchange.error}`,
      ...headers('<', exchange.replyHeaders),
      ...(exchange.replyBody ? ['', exchange.replyBody] : []),
      `$ ${exchange.curl}`,
    );
  });
  // A reply may hold what would move the cursor of a terminal.
  return `${terminalText(lines.join('\n'))}\n`;
}

const headers = (mark: string, all: Readonly<Record<string, string>>) =>
  Object.entries(all).map(([name, value]) => `${mark} ${name}: ${value}`);
