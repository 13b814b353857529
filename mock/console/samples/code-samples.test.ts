import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onLoopback } from '../../../spec/proof/processes.ts';
import { codeSample, keyVariable, languages, type SampleRequest } from './code-samples.ts';

const hasGo = spawnSync('go', ['version']).status === 0;
const hasPytest = spawnSync('python3', ['-c', 'import pytest, requests']).status === 0;

const received: object[] = [];
/** Answers with what it was sent. */
const echo = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { 'x-api-key': key, 'content-type': type } = request.headers;
  received.push({ method: request.method, key, type, body });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ method: request.method, url: request.url, key, type, body }));
});
let origin = '';
beforeAll(async () => {
  origin = await onLoopback(echo);
});
afterAll(() => echo.close());

const body = `{"contentType": "it's a \\"test\\"\\\\"}`;
const json = ['content-type', 'application/json'] as const;
const requests: [string, () => SampleRequest, object][] = [
  [
    'a read',
    () => ({
      name: 'getA',
      method: 'GET',
      url: `${origin}/a?b=1`,
      headers: [['x-api-key', 's3']],
      body: null,
      status: 200,
    }),
    { method: 'GET', key: 's3' },
  ],
  [
    'a write, its key in a variable',
    () => ({
      name: "POST /it's",
      method: 'POST',
      url: `${origin}/it's`,
      headers: [['x-api-key', keyVariable], json],
      body,
      status: 200,
    }),
    { method: 'POST', key: 'from-env', type: 'application/json', body },
  ],
];
const env = { ...process.env, KEY: 'from-env' };
const run = promisify(execFile);

describe('a sample', () => {
  it.each(requests)('for curl is %s as it stands', async (_, request, sent) => {
    const { stdout } = await run('sh', ['-c', codeSample('curl', request())], { env });
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject(sent);
  });

  it.each(requests)('as a test for vitest sends %s and expects its status', async (_, request, sent) => {
    const ran = async (status: number) => {
      const code = codeSample('vitest', { ...request(), status }).replace(
        /^import.*$/m,
        'const { expect, test } = globals;',
      );
      let running: Promise<void> | undefined;
      const test = (_name: string, body: () => Promise<void>) => {
        running = body();
      };
      process.env.KEY = 'from-env';
      new Function('globals', code)({ expect, test });
      await running;
    };
    await ran(200);
    expect(received.at(-1)).toMatchObject(sent);
    await expect(ran(404)).rejects.toThrow('404');
  });

  it.each(languages)('for %s names address, method and key, and sends no key where there is none', (language) => {
    const request: SampleRequest = {
      name: 'removeA',
      method: 'DELETE',
      url: 'http://x/v1/a',
      headers: [['x-api-key', 'the-key']],
      body: null,
      status: 204,
    };
    const code = codeSample(language, request);
    expect(code).toContain('http://x/v1/a');
    expect(code.toLowerCase()).toContain('delete');
    expect(code).toContain('the-key');
    expect(codeSample(language, { ...request, headers: [] })).not.toContain('x-api-key');
  });

  it.skipIf(!hasPytest)('as a test for pytest passes and fails by the status', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'samples-'));
    const sample = requests[1]?.[1]() as SampleRequest;
    expect(codeSample('pytest', { ...sample, name: 'getSite' })).toContain('def test_get_site_answers_200():');
    await writeFile(join(folder, 'test_right.py'), codeSample('pytest', sample));
    await writeFile(join(folder, 'test_wrong.py'), codeSample('pytest', { ...sample, status: 404 }));
    const outcome = await run('python3', ['-m', 'pytest', '-q', folder], { env }).catch(({ stdout }) => ({ stdout }));
    await rm(folder, { recursive: true });
    expect(outcome.stdout).toContain('1 failed, 1 passed');
    expect(received.at(-1)).toMatchObject(requests[1]?.[2] ?? {});
  });
  it.skipIf(!hasGo)('as a test for Go passes and fails by the status', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'samples-'));
    const sample = requests[1]?.[1]() as SampleRequest;
    await writeFile(join(folder, 'go.mod'), 'module api\n');
    await writeFile(join(folder, 'right_test.go'), codeSample('Go test', sample));
    await writeFile(join(folder, 'wrong_test.go'), codeSample('Go test', { ...sample, status: 404 }));
    const outcome = await run('go', ['test', '-v'], { env, cwd: folder }).catch(({ stdout }) => ({ stdout }));
    await rm(folder, { recursive: true });
    expect(outcome.stdout).toMatch(/--- PASS: TestPOSTItSAnswers200[\s\S]*--- FAIL: TestPOSTItSAnswers404/);
    expect(received.at(-1)).toMatchObject(requests[1]?.[2] ?? {});
  });
});
