import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { sampleReport } from '../proof/sample-report.ts';
import { consoleReport } from './console.ts';
import { formatNames, formats } from './report-files.ts';
import type { Report } from './report-schema.ts';

const report = await sampleReport();
const failure = report.rows.find(({ id }) => id === 'auth/no-key-is-403');
const withMessage = (message: string): Report => ({
  ...report,
  rows: report.rows.map((row) => ({
    ...row,
    message,
    breaches: row.breaches.map((breach) => ({ ...breach, observed: message, expected: message })),
  })),
});

/** Decodes entities and JSON escapes, so that a text can be found in any format. */
const readable = (text: string) =>
  text
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replace(/\\(["`*_[\]|~#!\\])/g, '$1')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

it('has every outcome in the sample', () => {
  expect(Object.entries(report.outcomes).filter(([, count]) => count === 0)).toEqual([]);
});

// Requests for an editor and badges are no reports: they have tests of their own.
describe.each(formatNames.filter((name) => name !== 'http' && name !== 'badge'))('%s', (format) => {
  const text = formats[format](report);

  it('is the same for the same report', () => {
    expect(formats[format](structuredClone(report)) === text).toBe(true);
  });

  it('shows of every law id, rule, section, provenance, level and outcome', () => {
    const shown = readable(text);
    for (const { id, rule, outcome } of report.rows) {
      expect(shown).toContain(id);
      expect(shown).toContain(rule.text);
      expect(shown).toContain(rule.section);
      expect(shown).toContain(rule.provenance);
      expect(shown).toContain(rule.level);
      expect(shown.replaceAll(' ', '-')).toContain(outcome);
    }
  });

  it('shows what was expected, what was observed and how to repeat it', () => {
    const shown = readable(text);
    const [breach] = failure?.breaches ?? [];
    expect(shown).toContain(breach?.expected);
    expect(shown).toContain(breach?.observed);
    expect(shown).toMatch(
      /-H 'accept: application\/json' 'http:\/\/127.0.0.1:4010\/v1\/|BASE=http:\/\/127.0.0.1:4010 .*"\$BASE\/v1\//s,
    );
  });

  it('shows the waivers', () => {
    expect(readable(text)).toMatch(/not.needed/i);
  });
});

describe('json', () => {
  const ajv = new Ajv.default({ allErrors: true });
  addFormats.default(ajv);
  const onDisk = readFileSync(new URL('report.schema.json', import.meta.url), 'utf8');

  it('fits its schema', () => {
    const valid = ajv.compile(JSON.parse(onDisk));
    valid(JSON.parse(formats.json(report)));
    expect(valid.errors).toBeNull();
    expect(valid({ ...report, verdict: 'fine' })).toBe(false);
  });
});

describe('junit', () => {
  const read = (text: string) => {
    expect(XMLValidator.validate(text)).toBe(true);
    return new XMLParser({ ignoreAttributes: false, isArray: (name) => /^testsuite$|^testcase$/.test(name) }).parse(
      text,
    );
  };

  it('is well-formed, whatever a reply holds', () => {
    const nasty = 'a \u0000\u0008\u001b[31m ]]> <b a="1"> & \ud800 \ufffe \u{1f600} \'';
    const text = formats.junit(withMessage(nasty));
    read(text);
    expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
    expect(text).toContain('\u{1f600}');
  });

  it('has the counts of the verdict', () => {
    const all = read(formats.junit(report)).testsuites;
    const count = (name: string) => Number(all[`@_${name}`]);
    const failed = report.rows.filter(({ outcome, waived }) => outcome === 'fail' && !waived);
    const wrongWaivers = report.waivers.filter(({ state }) => state !== 'used' && state !== 'not-judged');
    expect(wrongWaivers).toHaveLength(1);
    expect(count('tests')).toBe(report.rows.length + 1);
    expect(count('failures')).toBe(failed.length + 1);
    // Only documented musts that could not be judged are errors.
    expect(count('errors')).toBe(2);
    expect(Number(all['@_time'])).toBeCloseTo(report.durationMilliseconds / 1000, 2);
    const auth = all.testsuite.find((suite: Record<string, string>) => suite['@_name'] === 'auth');
    const noKey = auth.testcase.find((one: Record<string, string>) => one['@_name']?.startsWith('auth/no-key-is-403'));
    expect(noKey.skipped['@_message']).toContain('waived: ');
  });

  it('has an error for a run that did not come to its end', () => {
    const all = read(formats.junit({ ...report, interrupted: true })).testsuites;
    expect(Number(all['@_errors'])).toBe(Number(read(formats.junit(report)).testsuites['@_errors']) + 1);
    const [cut] = all.testsuite.at(-1).testcase;
    expect([cut['@_name'], cut.error['@_message']]).toEqual(['came to its end', report.sentence]);
  });
});

it('junit counts laws that did not run as errors if they alone make the run incomplete', () => {
  const counted = { pass: 1, fail: 0, error: 0, waived: 0, inconclusive: 0, 'not-run': 1 };
  const rows = report.rows.filter(({ outcome }) => outcome === 'pass' || outcome === 'not-run');
  const errorsOf = (part: Partial<Report>) =>
    Number(/ errors="(\d+)"/.exec(formats.junit({ ...report, rows, mustRules: counted, ...part }))?.[1]);
  const musts = rows.filter(
    ({ outcome, rule }) => outcome === 'not-run' && rule.level === 'must' && rule.provenance === 'documented',
  );
  expect(musts.length).toBeGreaterThan(0);
  expect(errorsOf({ verdict: 'incomplete' })).toBe(musts.length);
  expect(errorsOf({ verdict: 'conformant' })).toBe(0);
});

describe('ctrf', () => {
  it('has counts that agree with its tests', () => {
    const { results, ...rest } = JSON.parse(formats.ctrf(report));
    expect(rest.reportFormat).toBe('CTRF');
    const { passed, failed, skipped, other, pending, tests } = results.summary;
    expect(passed + failed + skipped + other + pending).toBe(tests);
    expect(tests).toBe(report.rows.length);
    expect(results.tests.filter(({ status }: { status: string }) => status === 'failed')).toHaveLength(failed);
    for (const { duration } of results.tests) expect(Number.isInteger(duration)).toBe(true);
  });
});

describe('sarif', () => {
  const shown = report.rows.filter(({ outcome }) => ['fail', 'warn', 'error', 'inconclusive'].includes(outcome));
  const { version, runs } = JSON.parse(formats.sarif(report));
  const [{ tool, results, invocations }] = runs;

  it('has a result for each row that needs a look, with a rule, a level and a relative place, as GitHub wants them', () => {
    expect([version, runs.length, results.length]).toEqual(['2.1.0', 1, shown.length]);
    for (const [i, { ruleId, ruleIndex, level, message, locations, partialFingerprints }] of results.entries()) {
      const row = shown[i];
      expect(tool.driver.rules[ruleIndex]).toMatchObject({ id: ruleId, fullDescription: { text: row?.rule.text } });
      expect([ruleId, partialFingerprints]).toEqual([row?.id, { 'law/v1': row?.id }]);
      expect(level).toBe(row?.outcome === 'fail' ? 'error' : row?.outcome === 'warn' ? 'warning' : 'note');
      expect(message.text).toContain(row?.message);
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/^(?!\/)[^:?#]+$/);
    }
    expect(invocations).toMatchObject([{ exitCode: report.exitCode, executionSuccessful: true }]);
    expect(new Set(tool.driver.rules.map(({ id }: { id: string }) => id)).size).toBe(tool.driver.rules.length);
  });

  it('suppresses what a waiver excuses', () => {
    const waived = shown.filter((row) => row.waived).map(({ id }) => id);
    const suppressed = results.filter(({ suppressions }: { suppressions?: object[] }) => suppressions !== undefined);
    expect(waived.length).toBeGreaterThan(0);
    expect(suppressed.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(waived);
  });
});

describe('markdown', () => {
  it('shows markup in replies as text', () => {
    const text = formats.markdown(withMessage('<img src=x> | [a](b) `c`\n# d'));
    expect(text).not.toMatch(/<img|[^\\]\[a\]|\n# d/);
    const rows = text.split('\n').filter((line) => line.startsWith('| <code>auth/no-key-is-403'));
    expect(rows.map((row) => row.split(/(?<!\\)\|/).length)).toContain(11);
  });
});

describe('html', () => {
  const text = formats.html(withMessage('</script><script>alert(2)</script>"\' onload=1'));

  it('has only its own script, and loads nothing', () => {
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/<link|<img|@import|url\(|\son\w+="/);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toMatch(/default-src &#39;none&#39;|default-src 'none'/);
  });

  it('shows the rate and the burst of the limiter, and each moment at which it throttled', () => {
    expect(text).toMatch(
      /<p class=""><b>[\d.]+ to [\d.]+<\/b> per second <span class="soft small">declared 10, no fault seen<\/span><\/p>/,
    );
    expect(text).toMatch(
      /<p class=""><b>[\d.]+ to [\d.]+<\/b> at once <span class="soft small">declared 20, no fault seen<\/span><\/p>/,
    );
    const throttled = text.match(/<line class="throttled"/g) ?? [];
    expect(throttled).toHaveLength(report.limiter?.judgement.counts.throttled ?? 0);
    expect(text).not.toContain('NaN');
  });
});

describe('console', () => {
  it('never passes control characters of a reply on to the terminal', () => {
    expect(consoleReport(withMessage('\u001b[2J\u0007 gone \u009b1m'))).not.toMatch(/[^\P{Cc}\n\t]/u);
  });

  it('says of each failure what to do, how to see it again, and what was sent', () => {
    const blocks = (files = {}) =>
      consoleReport({ ...report, target: { ...report.target, file: 'mine.yaml' } }, undefined, files)
        .split('\n\n')
        .filter((block) => block.startsWith('fail '));
    expect(blocks().length).toBeGreaterThan(1);
    for (const [i, block] of blocks({ json: 'report.json' }).entries()) {
      const [, id] = /^fail +(\S+)/.exec(block) ?? [];
      expect(block).toMatch(/\n {2}do +[A-Z]/);
      expect(block).toMatch(/\n {2}sent +(?:head|curl) /);
      expect(block).toContain(`npx partnerkit conformance reproduce report.json ${id} --target mine.yaml`);
      // Without a report to reproduce it from.
      expect(blocks()[i]).toContain(`npx partnerkit conformance run --only ${id} --target mine.yaml`);
    }
  });

  it('says which must rules were left out and the flag that each needs, and ends with the verdict', () => {
    expect(consoleReport(report)).toMatch(
      /\nLeft out\n(?: {2}.*\n)* {2}Only with --allow-leftovers \(1 must\): .*upload\/register-takes-file-key.*\n[\s\S]*\n(non-conformant|incomplete): \d+ of \d+ must rules passed.*\nYou chose a part of the rules, which leaves \d+ rules unproven, \d+ of them musts\n.* requests to .*\nrare faults may be missed: in half of the rules that passed, .* less than one of \d+ replies could have gone unseen\n$/,
    );
  });
});

it('counts the answers to open questions, which fill a page, and says where they are', () => {
  const count = report.rows.filter(({ outcome }) => outcome === 'observed').length;
  expect(consoleReport(report)).toContain(
    `\n${count} choices that the contract leaves to your API: see --report html=FILE\n`,
  );
  expect(consoleReport(report, undefined, { html: 'page.html' })).toContain(' leaves to your API: see page.html\n');
  expect(count).toBeGreaterThan(1);
});

it('in a terminal lines end between words, and commands between their words, so that they run', () => {
  const narrow = Object.assign((_: unknown, text: string) => text, { columns: 60 });
  const lines = consoleReport(report, narrow).split('\n');
  // A word that is longer stays whole, and so does an option with its value.
  const isWord = (line: string) => /^\S|^ *(?:reply +)?(-\S+ )?("[^"]*"|\S+)( \\)?$/.test(line);
  expect(lines.filter((line) => line.length > 60 && !isWord(line))).toEqual([]);
  const commands = (text: string) => text.replaceAll(/ \\\n */g, ' ').match(/(?<=^ {2}(?:sent|again) +).*/gm);
  expect(commands(lines.join('\n'))).toEqual(commands(consoleReport(report)));
  expect(
    lines
      .join('\n')
      .replaceAll(/\n {4,}/g, ' ')
      .replaceAll(/ {2,}/g, ' '),
  ).toContain(
    consoleReport(report)
      .split('\n')
      .find((line) => /^ {2}rule /.test(line))
      ?.trim()
      .replaceAll(/ {2,}/g, ' '),
  );
  // Colours take no room.
  const coloured = Object.assign((_: unknown, text: string) => `\u001b[31m${text}\u001b[39m`, { columns: 60 });
  expect(stripVTControlCharacters(consoleReport(report, coloured)).split('\n')).toEqual(lines);
});
