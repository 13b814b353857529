import { escaped } from '../../spec/text/escaped-html.ts';
import type { Report, ReportRow } from './report-schema.ts';

/** JUnit XML: a suite per area; `fail` is a failure, `inconclusive` and `error` are errors, what did not run is skipped. */
export function junitReport({ rows, ...report }: Report): string {
  const areas = [...new Set(rows.map(({ area }) => area))];
  const suites = areas.map((area) => {
    const cases = rows.filter((row) => row.area === area);
    return element('testsuite', { name: area, ...totals(cases), timestamp: report.startedAt }, cases.map(testcase));
  });
  const all = { name: `conformance of ${report.target.baseUrl}`, ...totals(rows) };
  const waivers = report.waivers
    .filter(({ state }) => state === 'expired' || state === 'not-needed')
    .map((waiver) => {
      const text = `${waiver.state}: ${waiver.reason} (${waiver.owner}, until ${waiver.expires})`;
      return element('testcase', { classname: 'waivers', name: waiver.id }, [
        element('failure', { message: text }, []),
      ]);
    });
  const counts = { name: 'waivers', tests: waivers.length, failures: waivers.length, errors: 0, skipped: 0 };
  if (waivers.length > 0) suites.push(element('testsuite', counts, waivers));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, suites)}\n`;
}

const statusOf = (row: ReportRow) => {
  if (row.waived) return 'skipped';
  if (row.outcome === 'fail') return 'failure';
  if (row.outcome === 'inconclusive' || row.outcome === 'error') return 'error';
  return row.outcome === 'not-run' || row.outcome === 'not-selected' ? 'skipped' : 'passed';
};

function totals(rows: readonly ReportRow[]) {
  const having = (status: string) => rows.filter((row) => statusOf(row) === status).length;
  const time = seconds(rows.reduce((sum, row) => sum + row.durationMilliseconds, 0));
  return {
    tests: rows.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
    time,
  };
}

function testcase(row: ReportRow): string {
  const status = statusOf(row);
  const message = row.waived ? `waived: ${row.message}` : row.message;
  const details = [
    `rule: ${row.rule.text}`,
    `${row.rule.id}, section ${row.rule.section}, ${row.rule.provenance}, ${row.rule.level}`,
    `outcome: ${row.outcome}`,
    ...(row.expected === null ? [] : [`expected: ${row.expected}`]),
    ...(row.observed === null ? [] : [`observed: ${row.observed}`]),
    ...(row.curl === null ? [] : [row.curl]),
  ].join('\n');
  const inside =
    status === 'passed'
      ? []
      : [element(status, { message, ...(status !== 'skipped' && { type: row.outcome }) }, [xml(details)])];
  const out = status === 'passed' ? [element('system-out', {}, [xml(`${row.message}\n${details}`)])] : [];
  const time = seconds(row.durationMilliseconds);
  return element('testcase', { classname: row.area, name: `${row.id}: ${row.title}`, time }, [...inside, ...out]);
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, inside: readonly string[]) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xml(String(value))}"`);
  const start = `<${name}${written.join('')}`;
  return inside.length === 0 ? `${start}/>` : `${start}>${inside.join('\n')}</${name}>`;
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

/** Escaped, and without what XML 1.0 has no place for at all: control characters, halves of surrogate pairs. */
const xml = (text: string) => escaped(text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));
