import { describe, expect, it } from 'vitest';
import { parseTarget } from '../spec/files/target.ts';
import { type HttpReply, type HttpRequest, TransportError } from './client/http.ts';
import { virtualEnvironment } from './client/virtual-environment.ts';
import { createClient } from './client.ts';
import { Inconclusive } from './outcome.ts';
import { createRedaction } from './redaction.ts';
import { deploymentOf } from './target/deployment.ts';

const secret = 'a-secret-of-some-length';
const key = {
  name: 'full',
  secret,
  scopes: [],
  revoked: false,
  rateLimit: { perSecond: 10, burst: 20 },
  tenant: 'acme',
};
const target = parseTarget(
  { baseUrl: 'http://api.test', tenants: [{ name: 'acme', keys: [{ name: 'full', secret }] }] },
  {},
  'target',
);
const ok: HttpReply = { status: 200, headers: {}, body: new TextEncoder().encode('{}') };
const status = (code: number, headers = {}): HttpReply => ({ ...ok, status: code, headers });

/** A client whose requests are answered one after another by these; the last one answers all that follow. */
function clientOf(answers: readonly (HttpReply | TransportError)[], budget = 1_000, described = target) {
  const sent: { request: HttpRequest; at: number }[] = [];
  const environment = virtualEnvironment({
    seed: 1,
    answer: (request) => {
      sent.push({ request, at: environment.now() });
      const answer = answers[Math.min(sent.length, answers.length) - 1] ?? ok;
      if (answer instanceof TransportError) throw answer;
      return answer;
    },
  });
  const redaction = createRedaction();
  redaction.add(secret, '$ACME_FULL_KEY');
  const client = createClient({
    deployment: deploymentOf(described),
    environment,
    redaction,
    timeout: 1_000,
    budget,
    onReply: () => undefined,
  });
  return { client, sent };
}

const lost = new TransportError('reset', 'connection reset');
const site = { params: { id: '1' } };
const upload = { ...site, body: { contentType: 'a/b' } };

describe('a call', () => {
  it.each([
    ['a 429', status(429, { 'retry-after': '3' })],
    ['a 503', status(503, { 'retry-after': '3' })],
  ])('waits after %s as long as it is told to, and asks again', async (_, first) => {
    const { client, sent } = clientOf([first, ok]);
    expect((await client.call('getSite', key, site)).status).toBe(200);
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThanOrEqual(3_000);
  });

  it.each([status(429), status(503), status(502), lost])(
    'that never succeeds is inconclusive, not failed',
    async (always) => {
      const { client, sent } = clientOf([always]);
      await expect(client.call('getSite', key, site)).rejects.toBeInstanceOf(Inconclusive);
      expect(sent).toHaveLength(5);
    },
  );

  it('that was lost is sent again only where that cannot do a thing twice', async () => {
    const started = clientOf([lost, ok]);
    expect((await started.client.call('startSiteFileUpload', key, upload)).status).toBe(200);
    const registered = clientOf([lost, ok]);
    await expect(registered.client.call('registerSiteFile', key, { ...site, body: {} })).rejects.toThrow(
      /not sent twice/,
    );
    expect(registered.sent).toHaveLength(1);
    const behind = clientOf([status(504), ok]);
    await expect(behind.client.call('registerSiteFile', key, { ...site, body: {} })).rejects.toThrow(/not sent twice/);
    expect(behind.sent).toHaveLength(1);
  });

  it.each([200, 201, 400, 401, 403, 404, 409, 418, 422, 500])('answered %i is a reply, taken at once', async (code) => {
    const { client, sent } = clientOf([status(code)]);
    expect((await client.call('getSite', key, site)).status).toBe(code);
    expect(sent).toHaveLength(1);
  });

  it('stops at the budget', async () => {
    const { client, sent } = clientOf([ok], 2);
    await client.call('getSite', key, site);
    await client.call('getSite', key, site);
    await expect(client.call('getSite', key, site)).rejects.toThrow(/budget of 2 requests/);
    expect(sent).toHaveLength(2);
  });

  it('without a key sends none, and changes or leaves out headers as asked', async () => {
    const { client, sent } = clientOf([ok]);
    await client.call('getSite', null, { ...site, headers: { accept: null, 'x-more': 'yes' } });
    expect(sent[0]?.request.headers).toEqual({ 'x-more': 'yes' });
  });

  it.each([
    ['as the slowest key', 10, 900, 1_100],
    ['as fast as keys whose limit was raised', 1_000, 0, 20],
  ])('without a key is paced %s', async (_, perSecond, least, most) => {
    const tenants = [
      { name: 'acme', keys: [{ name: 'full', secret, rateLimit: { perSecond, burst: 2 * perSecond } }] },
    ];
    const { client, sent } = clientOf([ok], 1_000, parseTarget({ baseUrl: 'http://api.test', tenants }, {}, 'target'));
    for (let i = 0; i < 24; i++) await client.call('getSite', null, site);
    const took = (sent.at(-1)?.at ?? 0) - (sent[0]?.at ?? 0);
    expect(took).toBeGreaterThanOrEqual(least);
    expect(took).toBeLessThan(most);
  });

  it('keeps evidence from which nobody can use the key', async () => {
    const { client } = clientOf([{ ...ok, body: new TextEncoder().encode(`{"youSent":"${secret}"}`) }]);
    const { exchange, text } = await client.call('getSite', key, site);
    expect(text).toContain(secret);
    expect(JSON.stringify(exchange)).not.toContain(secret);
    expect(exchange.curl).toBe(
      `curl -i -H "accept: application/json" -H "x-api-key: $ACME_FULL_KEY" 'http://api.test/v1/site/1'`,
    );
  });

  it('shows bytes that are no text by their number', async () => {
    const { client } = clientOf([ok]);
    const { exchange } = await client.put('http://files.test/x', 'a/b', new Uint8Array(11));
    expect(exchange.requestBody).toBe('(11 bytes that are no text)');
  });
});
