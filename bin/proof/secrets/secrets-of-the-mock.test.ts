import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { createMock } from '../../../mock/index.ts';
import { equalInConstantTime } from '../../../mock/keys/secret.ts';
import { filesBelow, newCanary, partnerkit } from './scene.ts';
import { traceFinder } from './traces.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-mock-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(
  url: string,
  { method = 'GET', path, headers = {}, body }: Sent,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers }, async (reply) =>
      resolve({ status: reply.statusCode ?? 0, body: await text(reply) }),
    );
    sent.on('error', reject).end(body);
  });
}

/** Everywhere that a client may put its key by mistake, beside where it belongs. */
function mistakes(key: string): Sent[] {
  const encoded = encodeURIComponent(key);
  const base64 = Buffer.from(key).toString('base64');
  const named = { 'x-api-key': key };
  const json = { ...named, 'content-type': 'application/json' };
  const site = 'ovaid-517e0001-0000-4000-8000-000000000001';
  const post = (body: string, headers: Readonly<Record<string, string>> = json): Sent => ({
    method: 'POST',
    path: `/v1/site/${site}/file/upload-url`,
    headers,
    body,
  });
  return [
    { path: '/v1/labels', headers: named },
    { path: '/v1/labels', headers: { authorization: `Bearer ${key}` } },
    { path: '/v1/labels', headers: { authorization: key } },
    { path: '/v1/labels', headers: { cookie: `session=${encoded}` } },
    { path: '/v1/labels', headers: { ...named, 'x-other': `Key ${key}`, 'user-agent': base64 } },
    { path: '/v1/labels', headers: { ...named, prefer: `code=${key}` } },
    { path: `/v1/labels?api_key=${encoded}` },
    { path: `/v1/labels?token=${encoded}&q=1`, headers: named },
    { path: `/v1/labels?q=${encoded}`, headers: named },
    { path: `/v1/labels?q=${encodeURIComponent(base64)}`, headers: named },
    { path: `/v1/site/${encoded}`, headers: named },
    { path: `/v1/conversation/${encoded}/context`, headers: named },
    { path: `/v1/${encoded}`, headers: named },
    post(JSON.stringify({ contentType: key, key })),
    post(JSON.stringify({ [key]: 1 })),
    post(`{"contentType": ${JSON.stringify(key)}`),
    post(JSON.stringify({ contentType: 'a/b', note: base64 })),
    post(`${'x'.repeat(16 * 1024 - 12)}${key}`),
    post('{}', { ...named, 'content-type': key }),
    {
      method: 'PUT',
      path: `/storage/acme/x?X-Amz-Signature=${encoded}`,
      headers: { 'content-type': 'a/b' },
      body: 'x',
    },
  ];
}

describe.each([[['--log']], [['--log', '--json']]])('a mock started with %j', (logging) => {
  it('shows no key of a client and no token in log, journal, snapshot, state, console and errors', async () => {
    const token = newCanary();
    const unknown = newCanary();
    const control = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const state = logging.length > 1 ? 'json.state' : 'text.state';
    const texts: [string, string][] = [];
    const canaries = [token, unknown];
    let sent = 0;

    const use = async (url: string) => {
      const manage = async (method: string, path: string, body?: unknown) => {
        const reply = await ask(url, {
          method,
          path: `/_mock${path}`,
          headers: control,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        expect(reply.status, `${method} ${path}: ${reply.body}`).toBeLessThan(300);
        return reply.body;
      };
      const made = JSON.parse(
        await manage('POST', '/keys', {
          tenant: 'acme',
          name: 'made',
          scopes: ['conversation:read', 'site:read', 'siteFile:write'],
        }),
      );
      const again = JSON.parse(await manage('POST', `/keys/${made.id}/regenerate`));
      const clone = JSON.parse(await manage('POST', '/tenants', { from: 'acme', name: 'clone' }));
      canaries.push(made.secret, again.secret, clone.keys.full.secret);
      for (const key of [unknown, made.secret, again.secret, clone.keys.full.secret]) {
        for (const request of mistakes(key)) {
          await ask(url, request);
          sent++;
        }
      }
      const none: Readonly<Record<string, string>> = {};
      for (const wrong of [{ authorization: `Bearer ${unknown}` }, { authorization: unknown }, none]) {
        texts.push(['refusal', (await ask(url, { path: '/_mock/journal', headers: wrong })).body]);
      }
      for (const path of [
        '/journal',
        '/snapshot',
        '/tenants',
        '/keys',
        '/faults',
        '/limits',
        '/files',
        '/clock',
        '/health',
      ]) {
        texts.push([path, await manage('GET', path)]);
      }
      texts.push([
        'verification',
        await manage('POST', '/journal/verify', { path: '/v1/nowhere', times: 1 }).catch((error) => String(error)),
      ]);
      texts.push(['console', (await ask(url, { path: '/_mock' })).body]);
    };

    let used: Promise<void> | undefined;
    const { output } = await partnerkit(
      folder,
      ['mock', '--port', '0', '--no-rate-limit', '--state', state, '--control-token', token, ...logging],
      {},
      (soFar, stop) => {
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(soFar)?.[0];
        if (url === undefined || !/"event":"listening".*\n|Ctrl-C stops it/.test(soFar)) return;
        used ??= use(url).finally(() => setTimeout(stop, 100));
      },
    );
    await used;
    // What is told at the start is for whoever started it; after that nothing is.
    const log = output.slice(output.search(/Ctrl-C stops it|\n/) + 1);
    texts.push(['log', logging.length > 1 ? log : output.slice(output.indexOf('Ctrl-C stops it'))]);
    const files = filesBelow(folder);
    expect([...files.keys()]).toContain(state);
    texts.push(...files);
    expect(log.split('\n').length).toBeGreaterThan(sent);

    const tracesIn = traceFinder(canaries);
    const leaks = texts.flatMap(([where, found]) => tracesIn(found).map((trace) => `${where}: ${trace}`));
    expect(leaks).toEqual([]);
  });
});

describe('a secret', () => {
  it('is stored only as a hash and its first eight characters', async () => {
    const mock = await createMock();
    const { key, secret } = mock.keys.create('acme', { name: 'made', scopes: [] });
    const regenerated = mock.keys.regenerate(key.id).secret;
    const clone = mock.tenants.create({ from: 'acme' });
    const secrets = [secret, regenerated, ...Object.values(clone.keys).map((made) => made.secret)];
    const { inspect } = await import('node:util');
    const everything = inspect(mock, { depth: 20, showHidden: true, maxArrayLength: null, maxStringLength: null });
    const kept = mock.keys.list().map((each) => JSON.stringify({ ...each, bucket: null }));
    expect(kept.length).toBeGreaterThan(secrets.length);
    expect(traceFinder(secrets)(everything + kept.join('\n') + JSON.stringify(await mock.snapshot()))).toEqual([]);
  });

  it('is compared in a time that does not depend on how much of a guess is right', () => {
    const length = 400_000;
    const right = 'a'.repeat(length);
    const guesses = { early: `b${right.slice(1)}`, late: `${right.slice(0, -1)}b` };
    const took = ({ early, late } = guesses) => {
      const times = { early: [] as number[], late: [] as number[] };
      for (let round = 0; round < 15; round++) {
        for (const [name, guess] of [
          ['early', early],
          ['late', late],
        ] as const) {
          const startedAt = performance.now();
          expect(equalInConstantTime(guess, right)).toBe(false);
          times[name].push(performance.now() - startedAt);
        }
      }
      return { early: Math.min(...times.early), late: Math.min(...times.late) };
    };
    const { early, late } = took();
    // One that stops at the first difference is thousands of times as fast for the early one.
    expect(early).toBeGreaterThan(late / 5);
  });

  it.each([
    ['mock/keys/key-ring.ts', 'equalInConstantTime(key.hash, hash)'],
    ['mock/control/guard.ts', 'equalInConstantTime(hashOf(given), expected)'],
    ['mock/storage/presign.ts', "equalInConstantTime(signature, searchParams.get('X-Amz-Signature') ?? '')"],
  ])('%s compares it so', (file, comparison) => {
    expect(readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')).toContain(comparison);
  });
});
