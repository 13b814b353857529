import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { formatNames } from '../../conformance/reports/report-files.ts';
import { listen } from '../../mock/adapters/node-http.ts';
import { createMock, type ListeningMock, type Mock } from '../../mock/index.ts';
import { loadProfile } from '../../spec/files/profile.ts';
import type { TargetInput } from '../../spec/files/target.ts';
import { run } from '../main.ts';
import { program } from '../release/program.ts';

const root = join(import.meta.dirname, '../..');
const packaged: TargetInput = parse(readFileSync(join(root, 'fixtures/mock.target.yaml'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'partnerkit-conformance-'));
let mock: Mock;
let listening: ListeningMock;
/** The label that nothing carries, and what to do once it was put on something. */
const spare = '1abe1008-0000-4000-8000-000000000008';
let onApplied = () => {};

beforeAll(async () => {
  mock = await createMock({ rateLimit: false });
  const handle: Mock['handle'] = async (request, trace) => {
    const reply = await mock.handle(request, trace);
    if (request.method === 'PUT' && reply.status < 300 && request.url.includes(spare)) onApplied();
    return reply;
  };
  listening = await listen({ ...mock, handle }, { port: 0, host: '127.0.0.1' });
  writeTarget('target.yaml', (target) => target);
});
afterAll(async () => {
  await listening.close();
  await mock.close();
  rmSync(folder, { recursive: true });
});

/** The packaged target at the address of this mock, with keys that need not be paced. */
function writeTarget(name: string, change: (target: TargetInput) => TargetInput) {
  const tenants = packaged.tenants.map((tenant) => ({
    ...tenant,
    keys: tenant.keys.map((key) => ({ ...key, rateLimit: { perSecond: 1000, burst: 1000 } })),
  }));
  writeFileSync(join(folder, name), stringify(change({ ...packaged, baseUrl: listening.url, tenants })));
}

/** slow.yaml: paced slowly enough to be cut off in the middle. */
function writeSlowTarget() {
  writeTarget('slow.yaml', (target) => ({
    ...target,
    tenants: target.tenants.map((tenant) => ({
      ...tenant,
      keys: tenant.keys.map((key) => ({ ...key, rateLimit: { perSecond: 20, burst: 20 } })),
    })),
  }));
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** In this process and its folder, because starting another takes longer than most commands. */
async function partnerkit(args: readonly string[]): Promise<Ended> {
  const ended = { out: '', err: '' };
  const take = (stream: NodeJS.WriteStream, name: 'out' | 'err') =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      ended[name] += text;
      return true;
    });
  const spies = [take(process.stdout, 'out'), take(process.stderr, 'err')];
  const before = process.cwd();
  process.chdir(folder);
  try {
    return { code: await run(args[0] === 'init' ? args : ['conformance', ...args]), ...ended };
  } finally {
    process.chdir(before);
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}

/**
 * In a process of its own.
 * @param interruptAt closes the terminal when this shows on stderr
 */
function started(args: readonly string[], interruptAt?: string, onStart = (_: ChildProcess) => {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, 'conformance', ...args], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1' },
    });
    onStart(child);
    let [out, err] = ['', ''];
    let interrupted = false;
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
      if (interruptAt === undefined || interrupted || !err.includes(interruptAt)) return;
      interrupted = true;
      // A closed terminal sends it twice.
      child.kill('SIGHUP');
      setTimeout(() => child.kill('SIGHUP'), 100);
    });
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

const few = ['--only', 'upload/target-url,upload/target-expiry', '--only', 'upload/start-is-201'];

// Slow, because runs wait for what has to settle.
describe('compare', () => {
  it('ends with 0 while the recorded answers stay the same, and with 1 when one has changed', async () => {
    const args = ['--target', 'target.yaml', '--only', 'errors/unknown-is-404'];
    await partnerkit(['run', ...args, '--write-profile', 'recorded.yaml']);
    const same = await partnerkit(['compare', 'recorded.yaml', ...args]);
    expect([same.out, same.code]).toEqual(['No differences.\n', 0]);

    const recorded = readFileSync(join(folder, 'recorded.yaml'), 'utf8');
    writeFileSync(join(folder, 'recorded.yaml'), recorded.replace('status: 404', 'status: 400'));
    const changed = await partnerkit(['compare', 'recorded.yaml', ...args]);
    expect(changed.out).toMatch(/^Answers that changed\n {2}errors\.\S+\.status was 400 is 404\n/);
    expect(changed.code).toBe(1);
  });

  it('ends with 1 when something got worse', async () => {
    const { out: json } = await partnerkit(['run', '--target', 'target.yaml', ...few, '--json']);
    writeFileSync(join(folder, 'a.json'), json);
    writeFileSync(join(folder, 'b.json'), json.replace('"outcome": "pass"', '"outcome": "fail"'));
    expect((await partnerkit(['compare', 'a.json', 'a.json'])).code).toBe(0);
    const worse = await partnerkit(['compare', 'a.json', 'b.json']);
    expect(worse.code).toBe(1);
    expect(worse.out).toMatch(/^Worse\n {2}\S+: pass -> fail/);
  });
});

describe('run', () => {
  it('ends with 0 and writes every report and the profile', async () => {
    const reports = formatNames.map((name) => `${name}=out/report.${name}`).join(',');
    const args = ['run', '--target', 'target.yaml', ...few, '--report', reports, '--write-profile', 'profile.yaml'];
    const { code, out, err } = await started(args);
    expect(out).toMatch(/\nconformant, in the part that was judged: (\d+) of \1 must rules? passed\n/);
    expect(err).toMatch(/^\d+ of \d+ scripts$/m);
    expect(code).toBe(0);
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(formatNames.map((name) => `report.${name}`).sort());
    expect(loadProfile(join(folder, 'profile.yaml'))).toMatchObject({ observed: { target: listening.url } });
  });

  it('prints the JSON report and nothing else with --json', async () => {
    const { code, out } = await started(['run', '--target', 'target.yaml', ...few, '--json']);
    expect([code, JSON.parse(out).verdict]).toEqual([0, 'conformant']);
  });

  it('ends with 3 when something could not run and names the field; with 0 under --allow-not-run', async () => {
    writeTarget('poor.yaml', ({ tenants: [acme], ...rest }) => ({
      ...rest,
      tenants: acme ? [{ name: acme.name, keys: acme.keys }] : [],
    }));
    const args = ['run', '--target', 'poor.yaml', '--only', 'upload/target-url,versioning'];
    const without = await partnerkit(args);
    expect(without.code).toBe(3);
    expect(without.out).toMatch(/Not run\n {2}The target file lacks tenants\[1], .*: would add \d+ laws?, /);
    const { code } = await partnerkit([...args, '--allow-not-run']);
    expect(code).toBe(0);
  });

  it('ends with 1 at a failure and shows rule, expectation, observation and curl; a waiver excuses it', async () => {
    // The mock knows as valid what this file calls revoked.
    writeTarget('wrong.yaml', ({ tenants, ...rest }) => ({
      ...rest,
      tenants: tenants.map((tenant) => ({
        ...tenant,
        keys: tenant.keys.map((key) => (key.name === 'revoked' ? { ...key, secret: secretOf('full') } : key)),
      })),
    }));
    const args = ['run', '--target', 'wrong.yaml', '--only', 'auth/revoked-key-is-403,auth/key-in-x-api-key'];
    const { code, out } = await started([...args, '--report', 'json=failed.json']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /fail +auth\/revoked-key-is-403\n {2}rule .*\n.*auth\/revoked-key-is-403, section .*\n {2}expected {3}403 \(key: revoked\)\n {2}got .*\n[\s\S]*? {2}curl -i /,
    );
    const waived = await partnerkit(['waivers', 'failed.json', '--owner', 'dana']);
    expect(waived.out).toContain('  auth/revoked-key-is-403\n');
    expect((await partnerkit([...args, '--waivers', 'waivers.yaml'])).code).toBe(0);
    const again = await partnerkit(['run', '--target', 'wrong.yaml', '--only-failed', 'failed.json']);
    expect(again.out).toContain('non-conformant: 0 of 1 must rule passed, 1 failed');
    const waivers = readFileSync(join(folder, 'waivers.yaml'), 'utf8');
    writeFileSync(join(folder, 'waivers.yaml'), waivers.replace(/expires: .*/, 'expires: 2001-01-01'));
    const expired = await partnerkit([...args, '--waivers', 'waivers.yaml']);
    expect(expired.code).toBe(1);
    expect(expired.out).toContain('the waiver of auth/revoked-key-is-403 (dana) expired on 2001-01-01');
  });

  it('ends with 2 and names the field when the target file does not describe the deployment', async () => {
    const wrong = (name: string, change: (tenant: TargetInput['tenants'][number]) => TargetInput['tenants'][number]) =>
      writeTarget(name, ({ tenants: [acme, ...others], ...rest }) => ({
        ...rest,
        tenants: [...(acme ? [change(acme)] : []), ...others],
      }));
    wrong('secret.yaml', (acme) => ({
      ...acme,
      keys: acme.keys.map((key) => (key.name === 'links' ? { ...key, secret: 'mistyped-secret' } : key)),
    }));
    wrong('id.yaml', (acme) => ({
      ...acme,
      conversations: { ...acme.conversations, closed: 'c0000002-0000-4000-8000-00000000dead' },
    }));
    wrong('scopes.yaml', (acme) => ({
      ...acme,
      keys: acme.keys.map((key) =>
        key.name === 'only-user-read' ? { ...key, scopes: ['conversation:read', 'user:read'] } : key,
      ),
    }));
    wrong('second-scope.yaml', (acme) => ({
      ...acme,
      keys: acme.keys.map((key) =>
        key.name === 'only-user-read' ? { ...key, scopes: ['user:read', 'conversation:read'] } : key,
      ),
    }));
    wrong('write-scope.yaml', (acme) => ({
      ...acme,
      keys: acme.keys.map((key) => (key.name === 'none' ? { ...key, scopes: ['conversation:write'] } : key)),
    }));
    wrong('spare.yaml', (acme) => ({
      ...acme,
      spareLabel: { id: '1abe1001-0000-4000-8000-000000000001', name: 'vip' },
    }));
    const before = labelsOf(await mock.snapshot({ content: false }));
    for (const [file, field] of [
      ['secret.yaml', 'tenants[0].keys[12].secret'],
      ['id.yaml', 'tenants[0].conversations.closed'],
      ['scopes.yaml', 'tenants[0].keys[11].scopes'],
      ['second-scope.yaml', 'tenants[0].keys[11].scopes: the key seems to lack conversation:read'],
      ['write-scope.yaml', 'tenants[0].keys[2].scopes: the key seems to lack conversation:write'],
      ['spare.yaml', 'tenants[0].spareLabel'],
    ] as const) {
      const { code, out, err } = await partnerkit(['run', '--target', file]);
      expect([code, out], file).toEqual([2, '']);
      expect(err).toContain('the target file does not describe the deployment');
      expect(err).toContain(field);
    }
    expect(labelsOf(await mock.snapshot({ content: false }))).toBe(before);
  });

  it('writes a history that gives the same rows again, without a network', async () => {
    const args = ['run', '--target', 'target.yaml', ...few, '--history', 'history.jsonl', '--json'];
    const first = await partnerkit(args);
    const again = await partnerkit(['judge', 'history.jsonl', ...few, '--json']);
    // Only a run has a target file and a command.
    const { target, ...same } = JSON.parse(first.out);
    expect(target).toMatchObject({ file: 'target.yaml', command: expect.any(String) });
    expect([again.code, JSON.parse(again.out)]).toMatchObject([first.code, same]);
    const text = readFileSync(join(folder, 'history.jsonl'), 'utf8');
    for (const { secret } of packaged.tenants.flatMap(({ keys }) => keys)) expect(text).not.toContain(secret);
    // What a killed run has left is judged; a line that breaks off in the middle of a file is a mistake.
    writeFileSync(join(folder, 'killed.jsonl'), text.slice(0, text.length / 2));
    expect(await partnerkit(['judge', 'killed.jsonl', ...few])).toMatchObject({ code: 3, err: '' });
    const [begin = '', second = '', ...rest] = text.split('\n');
    writeFileSync(join(folder, 'cut.jsonl'), [begin, second.slice(0, second.length / 2), ...rest].join('\n'));
    expect((await partnerkit(['judge', 'cut.jsonl'])).err).toMatch(/^partnerkit: cut\.jsonl:2: /);
  });

  it('ends after --max-duration with the verdict incomplete', async () => {
    writeSlowTarget();
    // Without the limiter's laws, which this mock breaks: it throttles nothing.
    const only = ['--only', 'labels', '--timeout', '2s'];
    const { code, out } = await partnerkit(['run', '--target', 'slow.yaml', ...only, '--max-duration', '4s']);
    expect(code).toBe(3);
    expect(out).toContain('interrupted');
    expect((await partnerkit(['cleanup', '--target', 'slow.yaml'])).code).toBe(0);
  });

  it('restores the deployment after its terminal was closed, writes the reports of what ran and ends with 3', async () => {
    const before = labelsOf(await mock.snapshot({ content: false }));
    writeSlowTarget();
    const args = ['run', '--target', 'slow.yaml', '--timeout', '2s', '--report', 'json=interrupted.json'];
    const { code, err } = await started(args, 'scripts');
    expect(err).toContain('Interrupted: undoing changes. Press Ctrl-C again to end at once.');
    expect(code).toBe(3);
    const report = JSON.parse(readFileSync(join(folder, 'interrupted.json'), 'utf8'));
    expect(report).toMatchObject({ interrupted: true, exitCode: 3 });
    expect(labelsOf(await mock.snapshot({ content: false }))).toBe(before);
    // A write that was cut short may still arrive: that is waited for.
    expect((await partnerkit(['cleanup', '--target', 'slow.yaml'])).code).toBe(0);
    expect(labelsOf(await mock.snapshot({ content: false }))).toBe(before);
  });

  it('cleanup undoes what a killed run has left', async () => {
    const args = ['--target', 'target.yaml', '--journal', 'journal'];
    const only = ['--only', 'labels/site-apply', '--timeout', '2s'];
    const before = await mock.snapshot({ content: false });
    const died = await started(['run', ...args, ...only], undefined, (child) => {
      onApplied = () => child.kill('SIGKILL');
    });
    onApplied = () => {};
    expect([died.code, died.out]).toEqual([null, '']);
    expect(labelsOf(await mock.snapshot({ content: false }))).not.toEqual(labelsOf(before));

    const cleaned = await partnerkit(['cleanup', ...args]);
    expect(cleaned).toMatchObject({ code: 0 });
    expect(cleaned.out).toMatch(new RegExp(`^undone: label ${spare} on site .* of acme$`, 'm'));
    expect(labelsOf(await mock.snapshot({ content: false }))).toEqual(labelsOf(before));
    expect((await partnerkit(['cleanup', ...args])).out).toMatch(/^Nothing to clean up/);
    expect(readdirSync(join(folder, 'journal')).filter((name) => name.startsWith('writes'))).toEqual([]);
  });

  it('ends with 3 and one sentence when nobody answers, and writes a report of why nothing was judged', async () => {
    writeTarget('nobody.yaml', (target) => ({ ...target, baseUrl: 'http://127.0.0.1:1' }));
    const { code, out, err } = await started(['run', '--target', 'nobody.yaml', '--report', 'json=nobody.json']);
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/^partnerkit: http:\/\/127\.0\.0\.1:1: not reached: .* nothing listens there; .*\n$/);
    const { verdict, interrupted, rows } = JSON.parse(readFileSync(join(folder, 'nobody.json'), 'utf8'));
    expect([verdict, interrupted]).toEqual(['incomplete', true]);
    expect(rows[0].message).toMatch(/nothing listens there/);
  });
});

const secretOf = (name: string) => packaged.tenants[0]?.keys.find((key) => key.name === name)?.secret ?? '';
/** Everything in a snapshot that carries the spare label. */
const labelsOf = (snapshot: unknown) => JSON.stringify(snapshot).split(spare).length;
describe('usage', () => {
  it.each([
    [['run'], '--target FILE is missing'],
    [['run', '--target', 'none.yaml'], 'none.yaml: cannot be read: there is no such file; check the path'],
    [['run', '--target', 'target.yaml', '--only', 'auth/no-kee-is-403'], 'did you mean "auth/no-key-is-403"?'],
    [['run', '--target', 'target.yaml', '--timeout', '30'], 'Give a duration such as 500ms, 30s'],
    [['run', '--target', 'target.yaml', '--report', 'pdf=x'], 'There is no report format "pdf"'],
    [
      ['run', '--target', 'target.yaml', '--report', 'html=target.yaml/x.html'],
      'partnerkit: target.yaml/x.html: cannot be written',
    ],
    [['run', '--target', 'target.yaml', '--dry-run', '--skip', 'nothing-of-that'], '--skip nothing-of-that'],
    [['judge', 'none.jsonl'], 'none.jsonl: cannot be read'],
    [['compare', 'none.json', 'target.yaml'], 'none.json: cannot be read'],
  ])('%j ends with 2', async (args, message) => {
    const { code, out, err } = await partnerkit(args);
    expect(err).toContain(message);
    expect([code, out]).toEqual([2, '']);
  });
});

it('run --dry-run prints every request and sends none', async () => {
  const { code, out } = await partnerkit(['run', '--dry-run', '--target', 'target.yaml', ...few]);
  expect(code).toBe(0);
  expect(out).toMatch(/^\d+ scripts would send \d+ requests to http/);
  expect(out).toMatch(/ {4}GET {4}\/v1\/conversation\/.*\/context {2}\[acme\//);
});

it('reproduce names what failed where it is asked for another, and knows what it was', async () => {
  const { out: json } = await partnerkit(['run', '--target', 'target.yaml', ...few, '--json']);
  writeFileSync(join(folder, 'r.json'), json);
  const other = await partnerkit(['reproduce', 'r.json', 'upload/target-url', '--target', 'target.yaml']);
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('upload/target-url did not fail in that run')]);
  writeFileSync(
    join(folder, 'f.json'),
    json.replace(/("id": "upload\/target-url"[\s\S]*?"outcome": )"pass"/, '$1"fail"'),
  );
  const again = await partnerkit(['reproduce', 'f.json', 'upload/target-url', '--target', 'target.yaml']);
  expect([again.code, again.out]).toEqual([
    0,
    expect.stringMatching(/^upload\/target-url: gone\n {2}.*its scripts run; not seen in \d+\n/),
  ]);
  for (const { secret } of packaged.tenants.flatMap(({ keys }) => keys)) expect(again.out).not.toContain(secret);
});

it('init asks a deployment, writes its answers without a secret, and names what is missing', async () => {
  process.env.TRY_KEY = secretOf('full');
  const conversation = packaged.tenants[0]?.conversations?.open ?? '';
  const asked = ['--base-url', listening.url, '--key', 'TRY_KEY', '--conversation', conversation];
  const { code, out } = await partnerkit(['init', 'asked.yaml', ...asked]);
  expect(code).toBe(0);
  expect(out).toMatch(/Fields to add, most useful first:\n(?: {2}tenants\[.*\n)+Then show what a run would send:/);
  const text = readFileSync(join(folder, 'asked.yaml'), 'utf8');
  expect(text).not.toContain(secretOf('full'));
  expect(parse(text).tenants[0]).toMatchObject({
    keys: [{ name: 'try', secret: `\${TRY_KEY}` }],
    conversations: { open: conversation },
    sites: { current: packaged.tenants[0]?.sites?.current },
  });
});

it('init does not overwrite a target file', async () => {
  expect((await partnerkit(['init', 'new.yaml', '--template'])).code).toBe(0);
  expect(readFileSync(join(folder, 'new.yaml'), 'utf8')).toMatch(
    /^# yaml-language-server: \$schema=target\.schema\.json\n/,
  );
  const again = await partnerkit(['init', 'new.yaml', '--template']);
  expect([again.code, again.err]).toEqual([
    2,
    'partnerkit: new.yaml: exists already; give another name, or --force to overwrite it\n',
  ]);
  expect((await partnerkit(['init', 'new.yaml', '--template', '--force'])).code).toBe(0);
});
