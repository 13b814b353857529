import { expect, it } from 'vitest';
import { createMock } from './create-mock.ts';
import { acme } from './proof/acme.ts';
import { createReplies } from './replies.ts';

const mock = await createMock({ rateLimit: false });
const tenant = mock.tenant('acme');
const frozen = () => Object.freeze({ status: 'ok' });

it('makes the reply to a frozen body once', () => {
  const replyOf = createReplies(null);
  const body = frozen();
  const reply = replyOf('getHealth', 200, body, tenant);
  expect(reply).toMatchObject({ status: 200, body: '{"status":"ok"}', recurring: true });
  expect(replyOf('getHealth', 200, body, tenant)).toBe(reply);
  expect(replyOf('getHealth', 200, frozen(), tenant)).not.toBe(reply);
});

it('makes separate replies for operations that share a body', () => {
  const replyOf = createReplies((id) => ({ id }));
  const body = frozen();
  const texts = (['applySiteLabel', 'removeSiteLabel'] as const).map((id) => replyOf(id, 200, body, tenant).body);
  expect(texts).toEqual(['{"id":"applySiteLabel"}', '{"id":"removeSiteLabel"}']);
  expect([200, 202].map((status) => replyOf('getHealth', status, body, tenant).status)).toEqual([200, 202]);
});

it('makes a new reply for a body that may change, and for a large body', () => {
  const replyOf = createReplies(null);
  const body = { text: 'before' };
  replyOf('getHealth', 200, body, tenant);
  body.text = 'after';
  expect(replyOf('getHealth', 200, body, tenant).body).toBe('{"text":"after"}');
  const large = Object.freeze({ text: 'x'.repeat(20_000) });
  expect(replyOf('getHealth', 200, large, tenant)).not.toBe(replyOf('getHealth', 200, large, tenant));
});

it('shows a change of labels at once, even if it undoes an earlier one', async () => {
  const ask = async (method: string, path: string) => {
    const headers = { 'x-api-key': acme.full };
    return JSON.parse((await mock.handle({ method, url: path, headers, origin: '', body: null })).body ?? '').labels;
  };
  const path = `/v1/conversation/${acme.open}`;
  const context = () => ask('GET', `${path}/context`);
  const before = await context();
  expect(await context()).toEqual(before);
  const applied = await ask('PUT', `${path}/label/${acme.gateCode}`);
  expect(await ask('PUT', `${path}/label/${acme.gateCode}`)).toEqual(applied);
  expect(await context()).toContain('gate code needed');
  expect((await ask('DELETE', `${path}/label/${acme.gateCode}`)).length).toBe(applied.length - 1);
  expect(await context()).toEqual(before);
  mock.applyLabel('acme', { conversation: acme.open }, 'gate code needed');
  expect(await context()).toContain('gate code needed');
  mock.reset();
  expect(await context()).toEqual(before);
});
