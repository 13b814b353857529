import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { planted } from '../../../mock/wrong/planted.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import type { Honest } from '../trials/trial.ts';
import { virtualMock } from '../trials/virtual-mock.ts';
import { sealed, strangers } from './index.ts';

const all = [...strangers, ...sealed].map((one) => [one.id, one] as const);
const nameOf = ({ id }: Honest) => id.split('/')[1] ?? '';

it('has a hundred of ten kinds, a third of which is sealed', () => {
  expect(all.length).toBeGreaterThan(100);
  expect(new Set(all.map(([, one]) => nameOf(one))).size).toBe(all.length);
  expect(sealed.length / all.length).toBeCloseTo(1 / 3, 1);
});

it.each(all)('%s does something', async (_, stranger) => expect(await reachedBy(stranger)).toBeGreaterThan(0));

const full = 'acmefull-fake-secret-0000000000000001';
const open = '/v1/conversation/c0000001-0000-4000-8000-000000000001';
const closed = open.replace('c0000001', 'c0000002').replace(/1$/, '2');
const site = '/v1/site/ovaid-517e0001-0000-4000-8000-000000000001';
const spare = 'label/1abe1008-0000-4000-8000-000000000008';
const odd = ['%00', 'a%2fb', '%25', '%3Cb%3E', ';x', 'x'.repeat(2_500), ''];

/** What happens in a minute or two to a client that asks a bit of everything, until the deployment has done something of its own. */
async function reachedBy({ id, does, around, options, target, network, chosen }: Honest): Promise<number> {
  let reached = 0;
  const wrong = around && planted({ id, does, around }, { reached: () => reached++ });
  const {
    mock,
    environment,
    target: packaged,
  } = await virtualMock({ ...options?.(), ...(wrong && { wrong }), ...network } as never);
  if (!around) return network || chosen || options || !isDeepStrictEqual(target?.(packaged), packaged) ? 1 : 0;
  const ask = async (method: string, path: string, key = full, sent?: string) => {
    const url = path.startsWith('http') ? path : `http://127.0.0.1${path}`;
    const body = sent === undefined ? null : new TextEncoder().encode(sent);
    const headers = { 'x-api-key': key, 'content-type': path.includes('/v1/') ? 'application/json' : 'text/plain' };
    const request = { method, url, headers, body };
    const reply = await environment.send(request as never, { timeoutMilliseconds: 30_000 }).catch(() => undefined);
    return Object(jsonOrUndefined(new TextDecoder().decode(reply?.body)));
  };
  for (let i = 0; i < 200 && reached === 0; i++) {
    await ask('GET', `${open}/context`);
    await ask(i % 2 ? 'DELETE' : 'PUT', `${i % 4 < 2 ? open : closed}/${spare}`);
    for (const path of [open, closed]) await ask('GET', `${path}/context`, 'acmeconr-fake-secret-0000000000000005');
    await ask('GET', '/v1/labels', 'acmesitw-fake-secret-0000000000000010');
    await ask('GET', '/v1/labels', 'globfull-fake-secret-0000000000000101');
    await ask('GET', `${open}/context`, 'unknown');
    for (const key of [full, 'acmeconr-fake-secret-0000000000000005'])
      await ask('GET', `${open.replace('c0', 'd0')}/context`, key);
    await ask('GET', `/v1/conversation/${odd[i % odd.length]}/context`);
    if (i % 20 === 10) {
      for (const key of [full, 'acmelimt-fake-secret-0000000000000004'])
        await Promise.all(Array.from({ length: 40 }, () => ask('GET', '/v1/labels', key)));
      const { key, secret } = mock.keys.create('acme', { name: `made ${i}`, scopes: [] });
      await ask('GET', '/v1/labels', secret);
      const renewed = mock.keys.regenerate(key.id).secret;
      for (const one of [secret, renewed, renewed]) await ask('GET', '/v1/labels', one);
    }
    if (i % 20 === 0) {
      const { fileKey, uploadUrl } = await ask('POST', `${site}/file/upload-url`, full, '{"contentType":"text/plain"}');
      for (const url of [uploadUrl, uploadUrl, `${uploadUrl}x`]) await ask('PUT', String(url), '', 'bytes');
      await ask('POST', `${site}/file`, full, JSON.stringify({ fileKey }));
    }
    await environment.sleep(800);
  }
  return reached;
}
