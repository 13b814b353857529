import { request } from 'node:https';
import { expect, it } from 'vitest';
import { acme } from '../proof/acme.ts';
import { createServedMock } from './create-served-mock.ts';

/** Self-signed for 127.0.0.1, made for this test alone. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgprRxkDel34Im3/gs
XN6s1gceiY0+iSSMeMzp9iRXNNChRANCAAQjiNrLmSz+8kzwBnfXzzRpD1x8L8HL
Udn029CicRQAuP26qBiR34OeDSsFJFBOMMGxDOyLfLxWFMvHduJOGtRs
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBjzCCATagAwIBAgIUauCu4xW4VATVrq/zVQJyRu1TNwowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTA3NTIwOVoYDzIxMjYxMDI4
MDc1MjA5WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQjiNrLmSz+8kzwBnfXzzRpD1x8L8HLUdn029CicRQAuP26qBiR34Oe
DSsFJFBOMMGxDOyLfLxWFMvHduJOGtRso2QwYjAdBgNVHQ4EFgQUyWhMtre4Og90
D4jUfInsj5iFFdYwHwYDVR0jBBgwFoAUyWhMtre4Og90D4jUfInsj5iFFdYwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
IDaEYz0zgk+32UuPMSIS2P7zybv9MLR2gVLXdgzTDUpxAiBCQ7v1VaxDcC8qXVdv
Z5hM8qiVls1O+V8U19i+/mGAEw==
-----END CERTIFICATE-----`;

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
