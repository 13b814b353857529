import { request } from 'node:https';
import { expect, it } from 'vitest';
import { cert, key } from '../../spec/proof/certificate.ts';
import { acme } from '../proof/acme.ts';
import { createServedMock } from './create-served-mock.ts';

it('serves the API, upload URLs and the control API over https', async () => {
  await using mock = await createServedMock();
  const { url, port } = await mock.listen({ port: 0, tls: { key, cert } });
  const send = (method: string, path: string, body?: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = { 'x-api-key': acme.full, ...(body && { 'content-type': 'application/json' }) };
      request({ host: '127.0.0.1', port, ca: cert, method, path, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
      })
        .on('error', reject)
        .end(body);
    });
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const started = await send('POST', `/v1/site/${acme.site}/file/upload-url`, '{"contentType":"a/b"}');
  expect(JSON.parse(started).uploadUrl).toMatch(/^https:\/\//);
  expect(JSON.parse(await send('GET', '/_mock/target?format=json')).baseUrl).toBe(url);
});
