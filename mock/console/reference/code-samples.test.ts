import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onLoopback } from '../../../spec/proof/on-loopback.ts';
import { codeSample, languages, type SampleRequest } from './code-samples.ts';

/** Answers with what it was sent. */
const echo = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { 'x-api-key': key, 'content-type': type } = request.headers;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ method: request.method, url: request.url, key, type, body }));
});
let origin = '';
beforeAll(async () => {
  origin = await onLoopback(echo);
});
afterAll(() => echo.close());

const body = `{"contentType": "it's a \\"test\\"\\\\"}`;
const requests: [string, () => SampleRequest, object][] = [
  ['a read', () => ({ method: 'GET', url: `${origin}/a?b=1`, secret: 's3', body: null }), { method: 'GET', key: 's3' }],
  [
    'a write, its key in a variable',
    () => ({ method: 'POST', url: `${origin}/it's`, secret: null, body }),
    { method: 'POST', key: 'from-env', type: 'application/json', body },
  ],
];
const env = { ...process.env, KEY: 'from-env' };
const run = promisify(execFile);

describe('a sample', () => {
  it.each(requests)('for curl is %s as it stands', async (_, request, sent) => {
    const { stdout } = await run('sh', ['-c', codeSample('curl', request())], { env });
    expect(JSON.parse(stdout)).toMatchObject(sent);
  });

  it.each(requests)('for fetch is %s as it stands', async (_, request, sent) => {
    const code = codeSample('fetch', request()).replace(
      'console.log(reply.status, await reply.json())',
      'process.stdout.write(await reply.text())',
    );
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { env });
    expect(JSON.parse(stdout)).toMatchObject(sent);
  });

  it.each(languages)(
    'for %s names the address, the method and the key, and sends no key where there is none',
    (language) => {
      const request = { method: 'DELETE', url: 'http://x/v1/a', secret: 'the-key', body: null };
      const code = codeSample(language, request);
      expect(code).toContain('http://x/v1/a');
      expect(code.toLowerCase()).toContain('delete');
      expect(code).toContain('the-key');
      expect(codeSample(language, { ...request, secret: '' })).not.toContain('x-api-key');
    },
  );
});
