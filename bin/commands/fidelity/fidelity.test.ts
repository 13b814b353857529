import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { historyText } from '../../../conformance/history/history-file.ts';
import { tryDefect } from '../../../conformance/proof/trials/trial.ts';
import { virtualMock } from '../../../conformance/proof/trials/virtual-mock.ts';
import { readTarget } from '../../../fidelity/read-target.ts';
import { seenIn } from '../../../fidelity/seen.ts';
import { createServedMock } from '../../../mock/adapters/create-served-mock.ts';
import { loadSeeds } from '../../../mock/seed/load.ts';
import { loadProfile } from '../../../spec/files/profile.ts';
import { program } from '../../release/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-fidelity-'));
afterAll(() => rmSync(folder, { recursive: true }));
const partnerkit = (...words: string[]) =>
  spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', cwd: folder });

beforeAll(async () => {
  const { history } = await tryDefect(null, { rules: new Set(['context/get-answers-context', 'labels/apply-adds']) });
  writeFileSync(join(folder, 'run.jsonl'), historyText(history));
});

it('says how many replies are alike, and writes reports and a profile', () => {
  const report = ['--report', 'html=f.html,badge=f.svg,json=f.json'];
  const ran = partnerkit('fidelity', 'run.jsonl', '--write-profile', 'p.yaml', '--at-least', '100%', ...report);
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/^(\S+) of \1 replies alike \(100%\), /) });
  expect(JSON.parse(readFileSync(join(folder, 'f.json'), 'utf8'))).toMatchObject({ ways: [], exitCode: 0 });
  expect(readFileSync(join(folder, 'f.svg'), 'utf8')).toContain('mock fidelity: 100%');
  expect(loadProfile(join(folder, 'p.yaml')).observed?.target).toBe('http://127.0.0.1:4010');
});

it('a run that writes its history learns what a profile can say, too', async () => {
  await using mock = await createServedMock({
    rateLimit: false,
    profile: { bodies: { getConversationContext: { omit: ['urgency'] } } },
  });
  const { url } = await mock.listen({ port: 0 });
  writeFileSync(join(folder, 'here.yaml'), await (await fetch(`${url}/_mock/target`)).text());
  const args = ['conformance', 'run', '--target', 'here.yaml', '--only', 'context/get-answers-context'];
  const run = (...more: string[]) =>
    promisify(execFile)(process.execPath, [program, ...args, '--allow-not-run', ...more], { cwd: folder });
  await run('--write-profile', 'observed.yaml');
  await run('--write-profile', 'learned.yaml', '--history', 'here.jsonl');
  const omitted = (file: string) => loadProfile(join(folder, file)).bodies?.getConversationContext?.omit ?? [];
  expect([omitted('observed.yaml'), omitted('learned.yaml')]).toEqual([[], ['urgency']]);
});

it('exits with 1 below --at-least, and with 2 for what it cannot read', () => {
  writeFileSync(join(folder, 'other.yaml'), 'bodies: { getConversationContext: { omit: [urgency] } }\n');
  const ran = partnerkit('fidelity', 'run.jsonl', '--profile', 'other.yaml', '--at-least', '99.5%');
  expect(ran).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('getConversationContext: body.urgency (text) is not in the mock'),
  });
  expect(partnerkit('fidelity', 'none.jsonl')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('none.jsonl'),
  });
  const lines = readFileSync(join(folder, 'run.jsonl'), 'utf8').split('\n');
  const deep = JSON.stringify({ ...JSON.parse(lines[1] ?? ''), body: '['.repeat(9_000) + ']'.repeat(9_000) });
  writeFileSync(join(folder, 'deep.jsonl'), `${lines[0]}\n${deep}\n`);
  expect(partnerkit('fidelity', 'deep.jsonl')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/deep\.jsonl: exchange \d+: the reply nests .* leave this exchange out/),
  });
  expect(partnerkit('fidelity', 'run.jsonl', '--at-least', '2')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('99%'),
  });
});

it('writes fixtures from a history, with made texts, and does not overwrite them', async () => {
  expect(partnerkit('fixtures', 'from', 'run.jsonl')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('acme.yaml: '),
  });
  const seeds = await loadSeeds(join(folder, 'fixtures'));
  expect(seeds.map(({ tenant }) => tenant)).toEqual(['acme', 'globex']);
  expect(JSON.stringify(seeds)).not.toMatch(/Whitfield|Water heater|vip/);
  expect(partnerkit('fixtures', 'from', 'run.jsonl')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('exists already'),
  });
  expect(partnerkit('fixtures', 'from', 'run.jsonl', '--into', 'kept', '--keep-texts').status).toBe(0);
  expect(JSON.stringify(await loadSeeds(join(folder, 'kept')))).toContain('Dana Whitfield');
});

it('reads the traffic of a client: its keys, and what they were served', async () => {
  const conversation = 'https://api.example/v1/conversation/c0000001-0000-4000-8000-000000000001';
  const entry = (url: string, key: string, status: number, body: object) => ({
    startedDateTime: '2026-01-01T00:00:00Z',
    time: 5,
    request: { method: 'GET', url, headers: [{ name: 'x-api-key', value: key }] },
    response: {
      status,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { text: JSON.stringify(body) },
    },
  });
  const entries = [
    entry(conversation, 'secret-of-a-client', 200, { id: conversation.slice(-36), subject: 'No heat', status: 'open' }),
    // Who is told that there is none has the scope.
    entry('https://api.example/v1/client/ovcid-none', 'secret-of-a-client', 404, {
      error: { code: 'NOT_FOUND', message: 'No.' },
    }),
    entry(conversation, 'unknown-secret-1', 403, { error: { code: 'FORBIDDEN', message: 'No.' } }),
    { ...entry(conversation, '', 204, {}), request: { method: 'OPTIONS', url: conversation, headers: [] } },
  ];
  writeFileSync(join(folder, 'client.har'), JSON.stringify({ log: { entries } }));
  expect(partnerkit('fidelity', 'client.har').stdout).toContain('3 of 3 replies alike (100%), 2 of 14 operations');
  expect(partnerkit('fixtures', 'from', 'client.har', '--into', 'har').status).toBe(0);
  const [seed] = await loadSeeds(join(folder, 'har'));
  expect(seed).toMatchObject({
    tenant: 'recorded-1',
    keys: [{ scopes: ['conversation:read', 'client:read'] }],
    conversations: [{ status: 'open' }],
  });
});

it('writes no fixture of a deployment that does not answer', () => {
  const keys = [{ name: 'full', secret: 'a-fake-secret-of-nobody-1', scopes: ['conversation:read'] }];
  const target = { baseUrl: 'http://127.0.0.1:1', tenants: [{ name: 'acme', keys }] };
  writeFileSync(join(folder, 'down.yaml'), JSON.stringify(target));
  const ran = partnerkit('fixtures', 'from', 'down.yaml', '--into', 'down');
  expect(ran).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/down\.yaml: not reached.*; nothing was written/),
  });
  expect(existsSync(join(folder, 'down'))).toBe(false);
});

it('reads from a target what its keys may read, and says what no read shows', async () => {
  const { environment, target } = await virtualMock();
  const { recording, unread } = await readTarget(target, { environment });
  expect(new Set(recording.exchanges.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(unread).toContainEqual(expect.stringContaining('labels of sites and of links'));
  const [acme] = (await seenIn(recording)).seeds;
  expect(acme?.conversations.find(({ id }) => id.startsWith('c0000001'))?.labels).toEqual([
    'vip',
    'warranty',
    'internal-risk',
  ]);
  expect(acme?.sites.find(({ id }) => id === '10042')?.clients).toHaveLength(1);
});
