import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { rawOf, rawPoint, samplesOf, simulatedStart } from '../../load/proof/simulated-raw.ts';
import { loadReportSchema } from '../../load/report/report-schema.ts';
import { scenarioPlans } from '../../load/scenarios.ts';
import { bucketModel } from '../../spec/limiter/proof/limiters.ts';
import { packageRoot } from '../../spec/package-facts.ts';
import { run } from '../main.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-load-command-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const packaged = readFileSync(join(packageRoot(), 'fixtures/mock.target.yaml'), 'utf8');
const raw = (perSecond: number, { ended = true } = {}) =>
  rawOf('overload', 'acme/limits', samplesOf('overload', bucketModel(perSecond, 20)), { ended });

/** Stands in for k6: writes the raw output that it is given, and ends as it is told. The real one is in `load/proof/`. */
const fakeK6 = `#!/bin/sh
case "$1" in
  version) echo "k6 v\${FAKE_K6_VERSION:-2.2.0} (commit/devel, go1.26, linux/amd64)" ;;
  run)
    for word in "$@"; do case "$word" in RUN=*) cat "\${word#RUN=}" > "$FAKE_K6_ASKED" ;; esac; done
    cat "$FAKE_K6_RAW"
    if [ -n "$FAKE_K6_SAYS" ]; then echo "$FAKE_K6_SAYS" >&2; fi
    exit "\${FAKE_K6_CODE:-0}"
    ;;
esac
`;

beforeAll(() => {
  writeFileSync(at('k6'), fakeK6);
  chmodSync(at('k6'), 0o755);
  writeFileSync(at('target.yaml'), packaged);
  writeFileSync(at('far.yaml'), packaged.replace(/^baseUrl: .*$/m, 'baseUrl: https://connect.example.invalid'));
  writeFileSync(at('right.json'), raw(10));
  writeFileSync(at('fast.json'), raw(12));
  writeFileSync(at('cut.json'), raw(10, { ended: false }));
  writeFileSync(at('nothing.json'), '');
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const fake = { K6_PATH: at('k6'), FAKE_K6_RAW: at('right.json'), FAKE_K6_ASKED: at('asked') };

/** Runs the command in this process, as `partnerkit` does; names of files in it are those of the folder. */
async function load(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text);
      return true;
    });
  }
  for (const [name, value] of Object.entries({ ...fake, ...env })) vi.stubEnv(name, value);
  const here = args.map((arg) => arg.replaceAll(/(?<=^|=|,)[\w-]+\.(?:json|yaml|html)$/g, `${folder}/$&`));
  try {
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'partnerkit', 'load', ...here]);
    const code = await run(['load', ...here]);
    return { code, out: printed.stdout, err: printed.stderr };
  } finally {
    process.exitCode = undefined;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
const runWith = (scenario: string, ...flags: string[]) => load(['run', scenario, '--target', 'target.yaml', ...flags]);

describe('load run', () => {
  it('ends with 3, and writes its reports, when the deployment refuses the key', async () => {
    const refusal = rawPoint('load_stopped', simulatedStart, 1, { code: 'key-refused', text: 'refused with 403' });
    writeFileSync(at('refused.json'), `${refusal}\n`);
    const k6 = { FAKE_K6_RAW: at('refused.json'), FAKE_K6_CODE: '108' };
    const ended = await load(['run', 'overload', '--target', 'target.yaml', '--report', 'json=refusal.json'], k6);
    expect(ended).toMatchObject({ code: 3, out: expect.stringContaining('refused with 403') });
    expect(JSON.parse(readFileSync(at('refusal.json'), 'utf8'))).toMatchObject({ outcome: 'cannot-tell' });
  });

  it.each<[string, Record<string, string>, number, RegExp]>([
    ['a limiter as declared', {}, 0, /^PASS: admits 10\.0 rps, burst 20: keeps the contract$/],
    ['another', { FAKE_K6_RAW: at('fast.json'), FAKE_K6_CODE: '99' }, 1, /^FAIL: admits 12\.0 rps: too lax by 20%$/],
    ['a run cut short', { FAKE_K6_RAW: at('cut.json') }, 3, /^CANNOT TELL: acme\/limits was not driven/],
    [
      'a k6 that failed',
      { FAKE_K6_RAW: at('nothing.json'), FAKE_K6_CODE: '107', FAKE_K6_SAYS: 'no such module' },
      3,
      /^CANNOT TELL: k6 ended with 107: no such module$/,
    ],
  ])('%s ends with its code and its sentence', async (_, env, code, sentence) => {
    const ended = await load(['run', 'overload', '--target', 'target.yaml'], env);
    expect(lastLine(ended.out)).toMatch(sentence);
    expect(ended.code).toBe(code);
    expect(ended.err).toContain('overload against http://127.0.0.1:4010: at most 971 requests with 1 key');
  });

  it('writes the reports and the raw output that were asked for', async () => {
    const flags = ['--report', `html=${at('page.html')},json=${at('report.json')}`, '--raw', 'kept.json'];
    const ended = await load(['run', 'overload', '--target', 'target.yaml', ...flags], {
      FAKE_K6_RAW: at('fast.json'),
    });
    expect(ended).toMatchObject({ code: 1, err: expect.stringMatching(/^Wrote .*page\.html, .*report\.json, .*\n$/m) });
    const report = loadReportSchema.parse(JSON.parse(readFileSync(at('report.json'), 'utf8')));
    expect(report).toMatchObject({ scenario: 'overload', target: 'http://127.0.0.1:4010', exitCode: 1 });
    expect(readFileSync(at('page.html'), 'utf8')).toContain('<h1>Breaks the contract</h1>');
    expect(report.again).toMatch(/^npx partnerkit load run overload --target \S+target\.yaml --report /);
    expect(readFileSync(at('kept.json'), 'utf8')).toBe(readFileSync(at('fast.json'), 'utf8'));
  });

  it('compresses raw output for the verdict if the name of the file ends in .gz', async () => {
    await runWith('overload', '--raw', at('kept.json.gz'));
    const ended = await load(['judge', at('kept.json.gz')]);
    expect(lastLine(ended.out)).toBe('PASS: admits 10.0 rps, burst 20: keeps the contract');
  });

  it('gives k6 what its options say, and no secret', async () => {
    const flags = ['--duration', '2m', '--key', 'full', '--max-rps', '80', '--max-requests', '5000', '--yes'];
    await load(['run', 'overload', '--target', 'far.yaml', ...flags], { FAKE_K6_ASKED: at('asked-far') });
    const asked = readFileSync(at('asked-far'), 'utf8');
    expect(asked).toContain('"seconds":120');
    expect(asked).toContain('"label":"acme/full","secret":"$');
    expect(asked).not.toContain('fake-secret');
  });
});

describe('load run refuses, with nothing sent,', () => {
  it.each<[string, string[], RegExp]>([
    [
      'too much in a second',
      ['overload', '--max-rps', '50'],
      /would send 79 requests in one second; allow it with --max-rps 79/,
    ],
    ['too many', ['overload', '--max-requests', '900'], /would send 971 requests; allow it with --max-requests 971/],
    ['a long run', ['soak'], /allow it with --max-requests \d+, or give fewer keys or a shorter --duration/],
    ['leftovers', ['upload'], /--allow-leftovers to accept that/],
    ['a scenario that there is not', ['overlaod'], /no scenario overlaod; use one of burst, fleet, isolation/],
    [
      'a key that there is not',
      ['burst', '--key', 'nobody'],
      /target\.yaml: acme has no usable key nobody; it has full,/,
    ],
    ['a wrong time', ['paced', '--duration', 'soon'], /Give a duration such as/],
    ['a wrong number', ['paced', '--max-rps', 'many'], /Give a number above 0/],
    ['a wrong report', ['paced', '--report', 'pdf=x.pdf'], /There is no report format "pdf"; use html, json/],
  ])('%s', async (_, [scenario = '', ...flags], problem) => {
    const ended = await runWith(scenario, ...flags);
    expect(ended.err).toMatch(problem);
    expect(ended).toMatchObject({ code: 2, out: '' });
  });

  it('another machine, unless an option allows it', async () => {
    const ended = await load(['run', 'burst', '--target', 'far.yaml']);
    expect(ended.err).toContain('connect.example.invalid is not this machine; say --yes when you may load it');
    expect(ended.code).toBe(2);
  });

  it('without a usable k6, and says how to get one', async () => {
    const none = await load(['run', 'burst', '--target', 'target.yaml'], { K6_PATH: at('nowhere') });
    expect(none.err).toMatch(
      /nowhere is not an executable file; k6 1.3 or newer is needed: run "npx partnerkit load install-k6"/,
    );
    const old = await load(['run', 'burst', '--target', 'target.yaml'], { FAKE_K6_VERSION: '0.54.0' });
    expect(old.err).toMatch(/k6 is v0\.54\.0; k6 1\.3 or newer is needed/);
    expect([none.code, old.code]).toEqual([2, 2]);
  });

  it('raw output that cannot be kept', async () => {
    const ended = await load(['run', 'overload', '--target', 'target.yaml', '--raw', '/nowhere/raw.json'], {
      FAKE_K6_ASKED: at('never'),
    });
    expect(ended.err).toContain('/nowhere/raw.json: cannot be written');
    expect([ended.code, existsSync(at('never'))]).toEqual([2, false]);
  });

  it('a report that cannot be written', async () => {
    const ended = await runWith('overload', '--report', `json=${at('target.yaml')}/report.json`);
    expect(ended.err).toContain('target.yaml/report.json: cannot be written');
    expect(ended.code).toBe(2);
  });
});

describe('load judge of raw output', () => {
  it.each<[string[], number, RegExp]>([
    [['right.json'], 0, /^PASS: admits 10\.0 rps, burst 20: keeps the contract$/],
    [['fast.json'], 1, /^FAIL: admits 12\.0 rps: too lax by 20%$/],
    [['cut.json'], 3, /^CANNOT TELL: acme\/limits was not driven to its end$/],
  ])('of %j says in its last line how it ends', async (files, code, sentence) => {
    const ended = await load(['judge', ...files]);
    expect(lastLine(ended.out)).toMatch(sentence);
    expect(ended.code).toBe(code);
  });

  it('merges the runs of several machines with the same key', async () => {
    const samples = samplesOf('overload', bucketModel(12, 20));
    writeFileSync(at('part-1.json'), rawOf('overload', 'acme/limits', samples.slice(0, 400)));
    writeFileSync(at('part-2.json'), rawOf('overload', 'acme/limits', samples.slice(400)));
    const ended = await load(['judge', '--skew-ms', '1', 'part-1.json', 'part-2.json', '--report', 'json=merged.json']);
    expect(lastLine(ended.out)).toBe('FAIL: admits 12.0 rps: too lax by 20%');
    const { keys, sources } = loadReportSchema.parse(JSON.parse(readFileSync(at('merged.json'), 'utf8')));
    const parts = [at('part-1.json'), at('part-2.json')];
    expect([keys[0]?.sources, sources]).toEqual([parts, parts]);
  });

  it.each<[string[], RegExp]>([
    [['missing.json'], /missing\.json: cannot be read: there is no such file/],
    [['nothing.json'], /nothing\.json: has no requests; give a record for each request/],
    [['right.json', 'burst.json'], /cannot judge overload and burst together; give files of one scenario/],
    [['right.json', '--skew-ms', '0'], /Give a number above 0/],
  ])('refuses %j', async (args, problem) => {
    writeFileSync(
      at('burst.json'),
      rawPoint('load_key', simulatedStart, 1, {
        scenario_name: 'burst',
        key: 'a',
        per_second: '10',
        burst: '20',
        position: '0',
      }),
    );
    const ended = await load(['judge', ...args]);
    expect(ended.err).toMatch(problem);
    expect(ended.code).toBe(2);
  });
});

describe('load run --list and load manifest', () => {
  it('lists every scenario', async () => {
    const { out } = await load(['run', '--list']);
    for (const { name } of scenarioPlans) expect(out).toMatch(new RegExp(`^${name} +\\d+ requests `, 'm'));
  });

  it('writes a TestRun that names the secrets and does not contain them', async () => {
    const ended = await load(['manifest', 'fleet', '--target', 'target.yaml', '--parallelism', '3', '--results', 'r']);
    expect(parse(ended.out)).toMatchObject({ kind: 'TestRun', spec: { parallelism: 3 } });
    expect(ended.out).toContain('PARTNERKIT_SECRET_1');
    expect(ended.out).not.toContain('fake-secret');
    expect(ended.code).toBe(0);
  });

  it('says what the cluster must have, and asks for no more processes than there are keys', async () => {
    const { out } = await load(['manifest', 'fleet', '--target', 'target.yaml', '--results', 'r']);
    expect(out).toMatch(/^# needs 2 nodes .*\n# needs the claim r to be ReadWriteMany: /);
    const kept = await load(['manifest', 'fleet', '--target', 'target.yaml', '--out', at('fleet.yaml')]);
    expect(kept.err).toMatch(/^# needs 2 nodes/);
    const alone = await load(['manifest', 'overload', '--target', 'target.yaml', '--results', 'r']);
    expect(alone.out).toMatch(/^apiVersion/);
    expect(parse(alone.out)).toMatchObject({ spec: { parallelism: 1 } });
  });

  it('takes a target file whose variables are not set here, and refuses an invalid one', async () => {
    writeFileSync(at('env.yaml'), packaged.replace('acmefull-fake-secret-0000000000000001', '$' + '{ACME_FULL_KEY}'));
    expect((await load(['manifest', 'fleet', '--target', 'env.yaml'])).out).toContain('key: ACME_FULL_KEY');
    writeFileSync(at('none.yaml'), 'baseUrl: http://localhost');
    const none = await load(['manifest', 'fleet', '--target', 'none.yaml']);
    expect(none.err).toMatch(/none\.yaml: tenants/);
    expect(none.code).toBe(2);
  });

  it.each<[string[], RegExp]>([
    [['overlaod'], /overlaod cannot run on several machines; choose one of burst, fleet/],
    [['fleet', '--parallelism', '1.5'], /Give a whole number of at least 1/],
    [['isolation', '--parallelism', '4'], /--parallelism 4: isolation drives 2 of the target's keys.*; give 2 or less/],
    [['overload', '--parallelism', '2'], /overload drives 1 of the target's keys.*; give 1 or less/],
    [['fleet', '--parallelism', '13'], /fleet drives 12 of the target's keys.*; give 12 or less/],
  ])('refuses a manifest for %j', async (args, problem) => {
    const ended = await load(['manifest', ...args, '--target', 'target.yaml']);
    expect(ended.err).toMatch(problem);
    expect(ended.code).toBe(2);
  });
});

describe('load judge of what other tools wrote', () => {
  const seen = samplesOf('overload', bucketModel(10, 20));
  const hey = [
    'offset,response-time,status-code',
    ...seen.map((one) => [one.sentAt / 1000, (one.doneAt - one.sentAt) / 1000, one.status].join()),
  ];
  const nginx = seen.map(({ doneAt, status }) =>
    JSON.stringify({
      msec: ((simulatedStart + doneAt) / 1000).toFixed(3),
      request_time: '0.000',
      status: String(status),
    }),
  );

  beforeAll(() => {
    writeFileSync(at('hey.csv'), hey.join('\n'));
    writeFileSync(at('nginx.log'), nginx.join('\n'));
    writeFileSync(at('nginx-1.log'), nginx.slice(0, 400).join('\n'));
    writeFileSync(at('nginx-2.log.gz'), gzipSync(nginx.slice(400).join('\n')));
  });

  it('joins files whose times count from 1970, also compressed ones, of a gateway', async () => {
    const ended = await load(['judge', at('nginx-1.log'), at('nginx-2.log.gz'), '--server-side']);
    expect(lastLine(ended.out)).toMatch(/^PASS: admits 10\.0 rps, burst 2\d: keeps the contract$/);
    expect(ended.code).toBe(0);
  });

  it('writes the same reports', async () => {
    const ended = await load(['judge', at('hey.csv'), '--report', `json=${at('hey.json')}`]);
    expect(ended.out).toMatch(/^hey -o csv: 6\d s, 964 requests, .*\n[\s\S]* \d+ admitted, \d+ throttled/);
    const report = loadReportSchema.parse(JSON.parse(readFileSync(at('hey.json'), 'utf8')));
    expect(report).toMatchObject({ outcome: 'keeps', reasons: [], traffic: { requests: 964 } });
  });

  it('names what broke the limit by a code', async () => {
    const ended = await load(['judge', at('hey.csv'), '--per-second', '7', '--report', `json=${at('lax.json')}`]);
    expect(lastLine(ended.out)).toMatch(/^FAIL: admits 10\.0 rps: too lax by 43%/);
    const report = loadReportSchema.parse(JSON.parse(readFileSync(at('lax.json'), 'utf8')));
    expect([report.outcome, report.reasons[0]?.code]).toEqual(['breaks', 'too-lax']);
  });

  it.each<[string[], RegExp]>([
    [['nginx.log', 'nginx.log'], /nginx\.log: is given twice; name each file once/],
    [['nginx.log', 'hey.csv'], /hey -o csv counts its times from its own begin.*; give it alone/],
    [['nginx.log', 'right.json'], /nginx\.log: is no raw output of a scenario, as other files are/],
    [['nginx.log', '--burst', '0.5'], /Give a number from 1 to 100000/],
  ])('%j is refused', async (words, problem) => {
    const ended = await load([
      'judge',
      ...words.map((word) => (word.includes('.log') || word.includes('.csv') ? at(word) : word)),
    ]);
    expect(ended.err).toMatch(problem);
    expect(ended).toMatchObject({ code: 2, out: '' });
  });
});
