import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';
import { expect, test } from 'vitest';
import { bucketModel } from '../../spec/limiter/proof/limiters.ts';
import { limitPlanOf, rawOf, samplesOf, simulatedReport } from '../proof/simulated-raw.ts';
import { judgeRun } from '../verdict/judge-run.ts';
import { createRawReader, createRawRun } from '../verdict/recording.ts';
import { diffRuns, diffText } from './diff-runs.ts';
import { diffPage, htmlReport } from './html-report.ts';
import { reportOf } from './report-of.ts';
import { type LoadReport, loadReportSchema } from './report-schema.ts';
import { terminalReport } from './terminal-report.ts';

/** Of two reports. */
const files = ['monday.json', 'today.json'] as const;

test('the report fits its schema, also by ajv', () => {
  const report = simulatedReport(12);
  expect(loadReportSchema.parse(report)).toEqual(report);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const schema: object = JSON.parse(readFileSync(new URL('../report.schema.json', import.meta.url), 'utf8'));
  const validate = ajv.compile(schema);
  expect(validate(JSON.parse(JSON.stringify(report))), JSON.stringify(validate.errors)).toBe(true);
  expect(report).toMatchObject({
    version: 2,
    outcome: 'breaks',
    exitCode: 1,
    startedAt: expect.stringMatching(/^2026-11-21T10:00:00/),
  });
  expect(report.timeline[1]).toEqual({ second: 1, admitted: 12, throttled: 3, refused: 0, unknown: 0 });
});

test('the last line on a terminal is the verdict', () => {
  expect(terminalReport(simulatedReport(12)).trimEnd().split('\n').at(-1)).toBe(
    'FAIL: admits 12.0 rps: too lax by 20%',
  );
  expect(terminalReport(simulatedReport(10)).trimEnd().split('\n').at(-1)).toBe(
    'PASS: admits 10.0 rps, burst 20: keeps the contract',
  );
});

test('a terminal has colours, says the verdict once, and what to do about it', () => {
  const coloured = terminalReport(simulatedReport(12), (style, text) => `<${style}>${text}</>`);
  expect(coloured).toMatch(
    /^ {2}<red>fail +<\/> limiter\/steady-rate: 1[12]\.\d+ to 12\.\d+ rps \(declared 10 rps\)$/m,
  );
  expect(coloured).toContain('<red,bold>FAIL</>: admits 12.0 rps');
  expect(coloured.match(/admits 12\.0 rps/g)).toHaveLength(1);
  expect(coloured).toMatch(/^ {2}<bold>do +<\/> Lower the rate from about 12\.0 to 10 a second\.$/m);
  expect(diffText(simulatedReport(10), simulatedReport(8), files)).toMatch(
    /^ {2}do +Raise the rate from about 8\.0 to 10/m,
  );
});

test('each figure has a line that says what was measured, or why not', () => {
  const text = terminalReport(simulatedReport(10));
  expect(text).toMatch(/^ {2}pass +limiter\/steady-rate: 9\.\d+ to 10\.\d+ rps \(declared 10 rps\)$/m);
  expect(text).toMatch(/^ {2}observed +limiter\/burst: \d\S* to 20\S* \(declared 20, up to 31 is allowed\)$/m);
  expect(text).toMatch(/^ {2}acme\/limits: \d+ admitted, \d+ throttled$/m);
  expect(terminalReport(simulatedReport(10, { burst: 2000 }))).toMatch(
    /^ {2}acme\/limits: 964 admitted, none throttled \(declared 10 rps, burst 20\)$/m,
  );
  // Of several keys the rules say no figures.
  const report = simulatedReport(10);
  const several = { ...report, keys: [report, report].flatMap(({ keys }) => keys) };
  expect(terminalReport(several)).toMatch(/^ {2}acme\/limits: .* throttled; rate 9\.\S+ to .* rps\); burst 1.* to 20/m);
});

test.each([80, 100])('on a terminal of %d columns lines end between words', (columns) => {
  const paint = Object.assign((_: unknown, text: string) => text, { columns });
  const [right, lax, strict] = [simulatedReport(10), simulatedReport(14, { burst: 30 }), simulatedReport(8)];
  const texts = [terminalReport(lax, paint), terminalReport(strict, paint), diffText(strict, lax, files, paint)];
  for (const text of [...texts, diffText(right, strict, files, paint)])
    expect(text.split('\n').filter((line) => line.length > columns)).toEqual([]);
  expect(texts[0]).toMatch(
    /\(declared 20, up to 31 is allowed\),\s+left\s+open\s+while\s+limiter\/steady-rate is broken\n/,
  );
});

test('one reason why a rule was not judged, on a page, on a terminal and between two runs', () => {
  const [right, lax] = [simulatedReport(10), simulatedReport(14, { burst: 30 })];
  const burst = /limiter\/burst.*\n?.*left open while limiter\/steady-rate is broken/i;
  const row = htmlReport(lax)
    .split('<tr>')
    .find((one) => one.includes('limiter/burst'));
  expect(row).toMatch(/>not judged<.*up to 31 is allowed\), left open while limiter\/steady-rate is broken\. /);
  for (const text of [terminalReport(lax), diffText(right, lax, files)]) expect(text).toMatch(burst);
  // Where the broken rate may explain it, a burst that is not allowed is to be checked, and one that is allowed is not.
  const check = 'Check the burst, too: 10 measured, 20 declared.';
  const small = simulatedReport(13, { burst: 10 });
  for (const text of [htmlReport(small), terminalReport(small)]) expect(text).toContain(check);
  for (const one of [lax, simulatedReport(10, { burst: 30 })])
    for (const text of [htmlReport(one), terminalReport(one)]) expect(text).not.toContain('Check the burst');
});

test('the page loads nothing, runs only its own script, and shows markup of a target file as text', () => {
  const page = htmlReport(simulatedReport(12, { key: '<img src=x onerror=alert(1)>' }));
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(page).not.toMatch(/<img|https?:\/\/(?!localhost:1)/);
  const [style, script, ...others] = [...page.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g)].map(
    ([, , text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  expect(page.replaceAll('&#39;', "'")).toContain(
    `default-src 'none'; style-src ${style}; script-src ${script}; base-uri`,
  );
  expect(others).toEqual([]);
  expect(page).toContain('<h1>Breaks the contract</h1>');
  expect(page.match(/<svg /g)).toHaveLength(4);
  // The verdict says it, the broken rule what was measured.
  expect(page.match(/admits 12\.0 rps/gi)).toHaveLength(1);
  expect(page).toMatch(/badge fail.*>1[12]\.\d+ to 12\.\d+ rps \(declared 10 rps\)\. </s);
});

test('the page says what failed, what was measured, and how the run is repeated', () => {
  const again = 'npx partnerkit load run overload --target staging.yaml --duration 2m';
  const page = htmlReport({ ...simulatedReport(12), again });
  const rows = page.split('<tr>').slice(1);
  expect(rows.find((row) => row.includes('limiter/steady-rate'))).toContain('badge fail');
  expect(page).toMatch(/<p class="big">12\.0 rps<\/p>.*Declared 10 rps.*Measured: 1[12]\.\d+ to 12\.\d+ rps</s);
  expect(rows.find((row) => row.includes('limiter/clustering-gains-nothing'))).toContain('>not judged</span>');
  expect(page).toContain('Left open while limiter/steady-rate is broken.');
  expect(page).toContain('<b>To mend it:</b> Lower the rate from about 12.0 to 10 a second.</p>');
  expect(page.replace(/<\/?span[^>]*>/g, '')).toMatch(
    /To run it again:<\/p>.*load run overload --target staging\.yaml --duration 2m/,
  );
  expect(htmlReport({ ...simulatedReport(10), again })).toContain('To run it again:');
});

test('a report of files names them, and says that they must be recorded again', () => {
  const ofFile = (perSecond: number, file: string) => ({ ...simulatedReport(perSecond), target: '', sources: [file] });
  const page = htmlReport({ ...ofFile(12, 'gateway.log'), again: 'npx partnerkit load judge gateway.log' });
  expect(page).toContain('<title>Breaks the contract: gateway.log</title>');
  expect(page).toMatch(/partnerkit load judge gateway\.log<\/p>.*Record again, then:<\/p>/s);
  const two = diffPage(ofFile(10, 'monday.log'), ofFile(12, 'today.log'), files);
  expect(two).toMatch(/Before<.*>monday\.json · monday\.log · .*After<.*>today\.json · today\.log · /s);
  expect(two).not.toContain('against');
  expect(two).toMatch(/>not judged<\/span>.*>left open while limiter\/steady-rate is broken</);
});

test('a figure is red where it is judged', () => {
  const mixed = htmlReport(simulatedReport(8, { burst: 40 }));
  expect(mixed.match(/To mend it/g)).toHaveLength(1);
  // A bucket of 10 that the broken rate explains is proven by nothing.
  const red = (page: string) =>
    page.match(/<section class="card fail"><p class="soft">\w+/g)?.map((tile) => tile.split('>').at(-1));
  expect(red(mixed)).toEqual(['Rate', 'Burst']);
  expect(red(htmlReport(simulatedReport(13, { burst: 10 })))).toEqual(['Rate']);
  const ofBurst = htmlReport(simulatedReport(10, { burst: 15, scenario: 'burst' }));
  expect(ofBurst).toMatch(/Rate <span class="badge not-judged">not judged<\/span> <\/p><p class="big">-</);
  // A tile says the outcome that the table of rules says.
  const badges = (page: string) =>
    [...page.matchAll(/<p class="soft">\w+ <span class="badge ([\w-]+)"/g)].map(([, one]) => one);
  expect(badges(mixed)).toEqual(['fail', 'fail']);
  expect(badges(htmlReport(simulatedReport(14)))).toEqual(['fail', 'not-judged']);
  expect(badges(htmlReport(simulatedReport(10)))).toEqual(['pass', 'observed']);
});

test('a limiter that throttles nothing has no limit', () => {
  const page = htmlReport(simulatedReport(1000, { burst: 2000 }));
  expect(page).toMatch(/<p>Throttles nothing: \d+ admitted within/);
  expect(page).toContain('<li>Count requests by key in front of every operation');
  expect(page.match(/<section class="card fail">.*?<p class="big">no limit<\/p>/g)).toHaveLength(2);
  expect(page).not.toContain('well-formed');
});

test('a right limiter stays within its band from its first volley on, and what is above the limit is red', () => {
  const shapes = (report: LoadReport) => {
    const picture = htmlReport(report);
    const levels = (kind: string) => {
      const [, points = ''] = new RegExp(`class="${kind}" points="([^"]*)"`).exec(picture) ?? [];
      return points.split(' ').map((point) => Number(point.split(',')[1]));
    };
    return { curve: levels('curve'), band: levels('band') };
  };
  // Smaller is higher up.
  const { curve, band } = shapes(simulatedReport(10));
  const volley = curve.findIndex((y) => y <= Math.max(...band));
  expect(volley).toBeLessThan(20);
  expect(Math.max(...curve.slice(volley))).toBeLessThanOrEqual(Math.max(...band));
  expect(Math.min(...curve)).toBeGreaterThanOrEqual(Math.min(...band));
  // After idle seconds it falls, and is back in its band at the next volley.
  const refilled = shapes(simulatedReport(10, { scenario: 'refill' })).curve;
  expect(Math.min(...refilled.slice(-20))).toBe(Math.min(...refilled.slice(0, 20)));
  expect(htmlReport(simulatedReport(10))).not.toContain('class="over"');
  expect(htmlReport(simulatedReport(10))).not.toContain('key over');
  expect(htmlReport(simulatedReport(12))).toContain('<polygon class="over"');
  // Below zero, while requests are throttled, it falls by what is missing.
  const strict = htmlReport(simulatedReport(8));
  expect(strict).toContain('</span>fewer than any reading allows</li>');
  expect(strict).toMatch(/<polygon class="over".*>-100<\/text>/s);
  // It ends with the last 429, where nothing has made up for what is missing; what the band is stands in the caption.
  const { admitted, timeline, ...rest } = simulatedReport(8);
  const late = { second: 60, admitted: 1, throttled: 0, refused: 0, unknown: 0 };
  const falling = shapes({
    ...rest,
    seconds: 61,
    timeline: [...timeline, late],
    admitted: [...admitted, [60.01, admitted.length + 1]],
  }).curve;
  expect(Math.max(...falling) - (falling.at(-1) ?? 0)).toBeLessThan(5);
  expect(strict).toContain('allowed: 20 to 31</li>');
  expect(strict).toContain('each that is admitted lifts it to 20, in the most generous reading of the burst to 31');
});

test.each([20, 31, 45])('a column that is cut shows that some were throttled, with a burst of %d', (burst) => {
  const page = htmlReport(simulatedReport(10, { burst }));
  expect(page).toContain('↑ 79');
  // Nothing but the line itself lies on the columns.
  const [columns = ''] = /<svg .*?<\/svg>/s.exec(page) ?? [];
  expect(columns.match(/<polyline class="\w+"/g)).toEqual(['<polyline class="declared"']);
  const [first, second] = [...page.matchAll(/<rect class="(\w+)" x="40"[^>]* height="(\d+)"/g)];
  expect([first?.[1], second?.[1]]).toEqual(['admitted', 'throttled']);
  expect(Number(second?.[2])).toBeGreaterThan(10);
});

test('a volley that is answered slowly counts in the second of its answers', () => {
  const run = createRawRun();
  const reader = createRawReader(run, 'raw.json');
  // What is sent in the first second is answered in the second one.
  const slow = samplesOf('overload', bucketModel(10, 40)).map((one) =>
    one.sentAt < 1000 ? { ...one, doneAt: one.sentAt + 1000 } : one,
  );
  reader.push(rawOf('overload', 'acme/limits', slow));
  reader.end();
  const about = { kit: '1.2.3', scenario: 'overload', target: '' };
  const report = reportOf(run, judgeRun(run, limitPlanOf('overload')), about);
  expect(report.timeline[0]?.second).toBe(1);
});

test('compares two runs in the same charts, what got worse first', () => {
  const [before, after] = [simulatedReport(10), simulatedReport(14)];
  const { differing } = diffRuns(before, after);
  expect(differing.slice(0, 3).map(({ what, turn, change }) => [what, turn, change])).toEqual([
    ['limiter/steady-rate', 'worse', '+4 rps (+40%)'],
    ['limiter/clustering-gains-nothing', null, ''],
    ['limiter/burst', null, ''],
  ]);
  expect(diffRuns(after, before).differing.filter(({ turn }) => turn === 'worse')).toEqual([]);
  expect(diffText(before, after, files)).toMatch(
    /\n {2}worse +limiter\/steady-rate, allowed 10 rps\n +pass 10\.0 rps {2}fail 14\.0 rps {2}\+4 rps \(\+40%\)\n/,
  );
  expect(diffText(before, after, files).trimEnd().split('\n').at(-1)).toBe('Worse: now breaks the contract');
  expect(diffPage(before, after, files)).toContain('<td data-head="change" class="worse">+4 rps (+40%)</td>');
  expect(diffPage(before, after, files)).toContain('<h1>Worse: now breaks the contract</h1><p><b>Before</b>');
  expect(diffPage(before, after, files)).toMatch(/<th scope="row">A key sustains 10 .*fail<\/span> 14\.0 rps<\/td>/);
  expect(diffPage(after, before, files)).toContain('<h1>Better: now keeps the contract</h1>');
  expect(diffPage(after, before, files)).toContain('before: left open while limiter/steady-rate is broken');
  expect(diffPage(before, before, files)).toContain('<h1>Nothing got worse</h1>');
  expect(diffText(before, simulatedReport(1000, { burst: 2000 }), files)).toMatch(
    /after +today\.json: throttles nothing/,
  );
  const pictures = diffPage(before, after, files).match(/<svg .*?<\/svg>/gs) ?? [];
  expect(pictures).toHaveLength(2);
  for (const picture of pictures) expect(picture).toMatch(/class="curve".*class="before"/s);
  expect(diffPage(before, after, files)).toContain('</span>more than any reading allows</li>');
  // What was above the limit before is red, too.
  expect(diffPage(after, before, files)).toContain('</span>more than any reading allows</li>');
  expect(diffPage(after, before, files)).toContain('<polygon class="over"');
});

test('two runs are told apart by their files, and a figure is said once', () => {
  const [before, after] = [simulatedReport(10), simulatedReport(14)];
  const page = diffPage(before, after, files);
  expect(page).toContain('<title>Worse: now breaks the contract: monday.json, today.json</title>');
  const [head = ''] = /<header.*<\/header>/s.exec(page) ?? [];
  expect(diffText(before, after, files).match(/too lax by 40%/g)).toHaveLength(1);
  expect(head).toMatch(/>monday\.json · overload against http.*>today\.json · overload against http/s);
  expect(head.match(/too lax by 40%/g)).toHaveLength(1);
  // The table says the answer times.
  expect(head).not.toContain('p95');
  expect(page).not.toContain('19 to 31');
  // One line of dashes that a line of teeth would hide.
  const [, dashed = ''] = /class="before" points="([^"]*)"/.exec(page) ?? [];
  const points = dashed.split(' ').map((point) => point.split(',').map(Number));
  const far = points
    .slice(1)
    .map(([x = 0, y = 0], i) => Math.hypot(x - (points[i]?.[0] ?? 0), y - (points[i]?.[1] ?? 0)));
  expect(Math.min(...far)).toBeGreaterThanOrEqual(3);
});

test('between two runs the values of a terminal stand in columns, below their heads', () => {
  const text = diffText(simulatedReport(10), simulatedReport(14, { burst: 30 }), ['a\x1b.json', 'b.json']);
  expect(text).toMatch(/^ {2}before +a\ufffd\.json: admits 10\.0 rps/);
  const lines = text.split('\n');
  const head = lines.find((line) => /^ +before +after +change$/.test(line)) ?? '';
  const columns = ['after', 'change'].map((word) => head.indexOf(word));
  const values = lines.filter((line) => /^ {17}\w/.test(line) && line !== head);
  expect(values).toHaveLength(3);
  for (const line of values) for (const at of columns) expect(line.slice(at - 2, at + 1)).toMatch(/^ {2}\S$/);
});

test.each<[number, number, string]>([
  [8, 14, 'Worse: still breaks the contract'],
  [14, 12, 'Better: still breaks the contract'],
  [8, 8.1, 'Still breaks the contract'],
  [8, 8, 'Still breaks the contract'],
])('of two broken runs the one further from the limit is worse: %d, then %d', (was, is, title) => {
  const [before, after] = [simulatedReport(was), simulatedReport(is)];
  const found = diffRuns(before, after);
  expect(found).toMatchObject({ title, isWorse: title.startsWith('Worse') });
  expect(found.differing.find(({ what }) => what === 'limiter/steady-rate')?.note).toBe('still broken');
  // What is broken is red, whatever it was before.
  expect(found.tone).toBe('breaks');
  expect(diffPage(before, after, files)).toContain('<header class="card verdict breaks">');
});
