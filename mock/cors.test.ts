import { beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Mock } from './create-mock.ts';
import type { ApiRequest } from './message.ts';
import { acme } from './proof/acme.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await createMock({ rateLimit: { burst: 1, perSecond: 0.001 } });
});

const page = { origin: 'https://app.example.com' };
const send = (method: string, url: string, headers: ApiRequest['headers'] = {}) =>
  mock.handle({ method, url, headers, origin: 'http://mock.test', body: null });
const preflight = { ...page, 'access-control-request-method': 'PUT' };

describe('CORS', () => {
  it.each(['/v1/labels', '/v1/site/1/label/2', '/storage/acme/x?X-Amz-Date=1'])(
    'a preflight of %s is answered before a key is asked for',
    async (url) => {
      const wanted = { ...preflight, 'access-control-request-headers': 'x-api-key,content-type' };
      const { status, headers, body } = await send('OPTIONS', url, wanted);
      expect([status, body]).toEqual([204, null]);
      expect(headers).toMatchObject({
        'access-control-allow-origin': page.origin,
        'access-control-allow-credentials': 'true',
        vary: 'Origin',
        'access-control-allow-methods': expect.stringContaining('PUT'),
        'access-control-allow-headers': 'x-api-key,content-type',
      });
    },
  );

  it('takes nothing from a bucket and is not in the journal', async () => {
    for (let n = 0; n < 5; n++) await send('OPTIONS', '/v1/labels', { ...preflight, 'x-api-key': acme.full });
    expect((await send('GET', '/v1/labels', { 'x-api-key': acme.full })).status).toBe(200);
    expect(mock.journal.list({ path: '/v1/labels' })).toHaveLength(1);
  });

  it('lets a page read every reply, Retry-After and ETag too', async () => {
    const shown = {
      'access-control-allow-origin': page.origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
      'access-control-expose-headers': expect.stringMatching(/Retry-After.*ETag/),
    };
    const throttled = await send('GET', '/v1/labels', { ...page, 'x-api-key': acme.full });
    expect([throttled.status, throttled.headers]).toEqual([429, expect.objectContaining(shown)]);
    expect((await send('GET', '/v1/labels', page)).headers).toMatchObject(shown);
    expect((await send('PUT', '/storage/acme/x', page)).headers).toMatchObject(shown);
  });

  it.each(['/_mock/health', '/', '/v1extra', '/v10/labels', '/storage'])('is closed for %s', async (url) => {
    const { status, headers } = await send('OPTIONS', url, preflight);
    expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });

  it('adds no headers without Origin, and treats OPTIONS without a preflight as any other request', async () => {
    expect((await send('GET', '/v1/labels')).headers).not.toHaveProperty('access-control-allow-origin');
    expect((await send('OPTIONS', '/v1/labels', page)).status).toBe(403);
    expect((await send('OPTIONS', '/v1/labels', { 'access-control-request-method': 'PUT' })).status).toBe(403);
  });
});
