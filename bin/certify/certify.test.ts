import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientFormats, duties } from '../../conformance/certification/index.ts';
import { rulesFor } from '../../spec/rules.ts';
import { clientReportFormats } from '../commands/certify/client-report-formats.ts';
import { assertOurs } from './env-file.ts';
import { clientDefects } from './proof/defects.ts';
import { openToolbox } from './proof/languages.ts';
import { finderOf, tryClient } from './proof/try-client.ts';
import { runCommand } from './run-command.ts';
import { chosenBy } from './selection.ts';
import { environmentOf, namesOf } from './variables.ts';
import { variations } from './variations/index.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partnerkit-certify-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (script: string, timeout = 20_000) =>
  runCommand({ command: ['bash', '-c', script], env: process.env, timeout, signal: new AbortController().signal });
const client = [process.execPath, join(import.meta.dirname, 'proof/clients/client.ts')];

it('every rule for clients has a duty, a fault or a freedom that judges it', () => {
  const judged = new Set([...duties, ...variations].map(({ rule }) => rule));
  // What a varied run leaves behind is compared, whatever was varied.
  judged.add('client/does-once');
  expect(rulesFor('certify').filter(({ id }) => !judged.has(id))).toEqual([]);
});

it('has a defect for every duty and every variation', () => {
  const found = new Set(clientDefects.map(({ foundBy }) => foundBy));
  const ids = [...duties.map(({ rule }) => rule as string), ...variations.map(({ id }) => id)];
  expect(ids.filter((id) => !found.has(id))).toEqual([]);
  expect(clientDefects.length).toBeGreaterThan(60);
});

it('writes the reports that its help names', () => {
  expect([...clientReportFormats].sort()).toEqual(Object.keys(clientFormats).sort());
});

describe('the clients of the proof, in a short run', () => {
  // Slow, because it starts a client for every freedom and for three faults.
  it('a correct client passes every situation without waits', async () => {
    const report = await tryClient({
      command: client,
      only: ['freedoms', 'lost-reply', 'url-expires', 'server-error'],
    });
    if (typeof report === 'string') throw new Error(report);
    expect(report.rows.filter(({ outcome }) => !['pass', 'not-run'].includes(outcome))).toEqual([]);
    expect(report).toMatchObject({ verdict: 'certified', exitCode: 0 });
    expect(report.scopes.line).toBe('conversation:read conversation:write client:write site:write siteFile:write');
  });

  // One that a duty finds, one that a fault finds and one that a freedom finds: each starts a dozen clients. All are tried by `npm run certify:proof`.
  const some = ['bearer', 'uploads-again-after-lost-reply', 'needs-urgency'];
  it.each(clientDefects.filter(({ language, name }) => language === 'typescript' && some.includes(name)))(
    '$name is found by $foundBy',
    async (defect) => expect(await finderOf(defect, client)).toEqual(expect.any(String)),
  );
});

it('gives no verdict for a command that fails by itself, sends nothing or does not exist', async () => {
  expect(await tryClient({ command: ['false'] })).toMatch(/fails \(exit code 1\) without any fault/);
  expect(await tryClient({ command: ['true'] })).toMatch(/sent nothing to the mock.*PARTNERKIT_URL/);
  expect((await run('exec /nonexistent')).code).toBe(127);
});

it('reports a command that fails sometimes, and does not blame the client', async () => {
  const script = join(folder, 'flaky.sh');
  // The second run fails, and every run under a fault, because a curl alone tries nothing again.
  writeFileSync(
    script,
    `curl -sf -H "x-api-key: $PARTNERKIT_KEY" $PARTNERKIT_URL/v1/labels > /dev/null || exit 1\n[ -e ${folder}/ran ] && [ ! -e ${folder}/twice ] && { touch ${folder}/twice; exit 1; }; touch ${folder}/ran\n`,
  );
  const report = await tryClient({ command: ['bash', script], only: ['unavailable'], jobs: 1 });
  if (typeof report === 'string') throw new Error(report);
  expect(report.notes.join()).toContain('sometimes fails without any fault');
  expect(report).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
});

it('ends the child processes of a command, and bounds its output', async () => {
  const pid = join(folder, 'pid');
  const { code, output } = await run(`sleep 300 & echo $! > ${pid}; yes out | head -c 1000000; exit 5`);
  expect(code).toBe(5);
  expect(output.length).toBeLessThan(20_000);
  // A zombie is only waited for by nobody.
  const state = () => spawnSync('ps', ['-o', 'stat=', '-p', readFileSync(pid, 'utf8').trim()]).stdout.toString();
  await expect.poll(state).toMatch(/^(?:Z.*\s*)?$/);
});

it('ends a command that does not end by itself', async () => {
  const { timedOut, code } = await run('trap "" TERM; sleep 300 & wait; sleep 300', 300);
  expect([timedOut, code]).toEqual([true, null]);
});

it('gives variables under names that the caller chooses', () => {
  const names = namesOf(['URL=PARTNER_URL']);
  expect(environmentOf({ URL: 'http://x', KEY: 'k' }, names)).toEqual({
    PARTNERKIT_URL: 'http://x',
    PARTNER_URL: 'http://x',
    PARTNERKIT_KEY: 'k',
  });
  expect(() => namesOf(['ULR=X'])).toThrow('did you mean URL?');
  expect(() => namesOf(['URL=1X'])).toThrow('cannot be the name of a variable');
});

/** A report, where there is one. */
async function reportOn(options: Parameters<typeof tryClient>[0]) {
  const report = await tryClient(options);
  if (typeof report === 'string') throw new Error(report);
  return report;
}

describe('the client is not blamed for', () => {
  it('a server error after which an ordinary run ends half-way', async () => {
    const script = `set -e
      call() { curl -sf -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" "$@"; }
      conversation=$PARTNERKIT_URL/v1/conversation/$PARTNERKIT_CONVERSATION
      call -X PUT "$conversation/label/$PARTNERKIT_LABEL"
      call "$conversation/context"
      call -X DELETE "$conversation/label/$PARTNERKIT_LABEL"`;
    const report = await reportOn({ command: ['bash', '-c', script], only: ['server-error'] });
    expect(report.exitCode).toBe(0);
    expect(report.rows).toMatchObject([
      { id: 'server-error/getConversationContext', outcome: 'observed', message: expect.stringContaining('half-way') },
      { id: 'server-error/removeConversationLabel', outcome: 'observed' },
    ]);
  });

  it('a second upload URL, because certify let the first one expire', async () => {
    const script = `
      const { PARTNERKIT_URL: url, PARTNERKIT_KEY: key, PARTNERKIT_SITE: site } = process.env;
      const post = async (path, body) => {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const reply = await fetch(url + '/v1/site/' + site + path, { method: 'POST', headers, body: JSON.stringify(body) });
        if (!reply.ok) throw new Error(path + ': ' + reply.status);
        return reply.json();
      };
      const start = () => post('/file/upload-url', { contentType: 'a/b' });
      const put = ({ uploadUrl }, body) => fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'a/b' }, body });
      for (const target of [await start(), await start()]) {
        let used = target;
        if ((await put(used, 'bytes')).status === 403) await put((used = await start()), 'bytes');
        await post('/file', { fileKey: used.fileKey, name: 'a file' });
      }`;
    const report = await reportOn({
      command: [process.execPath, '--input-type=module', '-e', script],
      only: ['client/upload-in-time', 'url-expires'],
    });
    expect(report.rows.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['client/upload-in-time', 'pass'],
      ['url-expires', 'pass'],
    ]);
  });

  it('a situation in which the deployment behaves as its profile says', async () => {
    const script = 'curl -sf -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" "$PARTNERKIT_URL/v1/labels"';
    const report = await reportOn({
      command: ['bash', '-c', script],
      only: ['long-retry-after'],
      profile: { limits: { retryAfter: 1 } },
    });
    expect(report.rows).toMatchObject([{ outcome: 'not-run', message: expect.stringContaining('the profile says') }]);
  });
});

it('a shell reads the command that reproduces a result as it was given', async () => {
  const script = 'curl -sf -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" "$PARTNERKIT_URL/v1/labels" # it\'s! `all`';
  const report = await reportOn({ command: ['bash', '-c', script], only: ['client/key-in-header'] });
  const { stdout } = spawnSync('bash', ['-c', `npx() { printf '%s\\0' "$@"; }; ${report.rows[0]?.again}`], {
    encoding: 'utf8',
  });
  const words = ['partnerkit', 'certify', '--only', 'client/key-in-header', '--strict', '--', 'env', 'DEFECT='];
  expect(stdout.split('\0')).toEqual([...words, 'bash', '-c', script, '']);
});

describe('--env-file', () => {
  const file = () => join(folder, '.env.certify');
  /** Knows the mock by the file alone. */
  const script = (path: string) =>
    `unset PARTNERKIT_URL PARTNERKIT_KEY; [ $(stat -c %a ${path}) = 600 ] || exit 1; . ${path}; curl -sf -H "x-api-key: $PARTNERKIT_KEY" "$PARTNERKIT_URL/v1/labels" > /dev/null`;

  it('gives the command all variables in a file that exists only during a run', async () => {
    const report = await tryClient({
      command: ['bash', '-c', script(file())],
      only: ['client/key-in-header', 'unknown-fields'],
      envFile: file(),
      jobs: 1,
    });
    if (typeof report === 'string') throw new Error(report);
    expect(report).toMatchObject({ exitCode: 0, operations: { listLabels: expect.any(Number) } });
    expect(existsSync(file())).toBe(false);
  });

  it('does not overwrite a file that it did not write', async () => {
    writeFileSync(file(), 'SECRET=1\n');
    await expect(assertOurs(file())).rejects.toThrow('certify has not written it');
    rmSync(file());
    await expect(assertOurs(file())).resolves.toBeUndefined();
  });
});

it('chooses by kind, id and part', () => {
  const chosen = chosenBy(['faults', 'absent-fields/getSite.city', 'client/key-in-header']);
  expect(chosen.duty('client/key-in-header')).toBe(true);
  expect(chosen.duty('client/key-nowhere-else')).toBe(false);
  expect(chosen.variation('lost-reply', 'fault')).toBe(true);
  expect(chosen.part('absent-fields', 'freedom', 'getSite.city')).toBe(true);
  expect(chosen.part('absent-fields', 'freedom', 'getSite.zip')).toBe(false);
  expect(() => chosenBy(['lost-replay'])).toThrow('did you mean lost-reply?');
});

it('every program of the proof is installed, or is reported as missing', () => {
  using toolbox = openToolbox(['typescript', 'shell']);
  expect(toolbox.commands.size + toolbox.missing.length).toBe(2);
  expect(existsSync(client[1] ?? '')).toBe(true);
});
