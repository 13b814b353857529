import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { defaultSeeds } from '../../mock/seed/generated/tenants.ts';
import { startClientMock } from './client-mock.ts';
import { clientCurl } from './report/client-report.ts';
import { trafficOf } from './traffic.ts';
import { environmentOf, givenBy, namesOf } from './variables.ts';

const names = namesOf(['KEY=OWN_KEY']);
const run = promisify(execFile);

/** What a client sends that is right in nothing but its order. */
async function sends(url: string, key: string, { SITE = '', CONVERSATION = '', LABEL = '' }) {
  const headers = { 'x-api-key': key };
  const call = (method: string, path: string, init: RequestInit = {}) =>
    fetch(url + path, { method, ...init, headers: { ...headers, ...init.headers } });
  const json = { 'content-type': 'application/json' };
  await call('GET', `/v1/labels?key=${key}&price=$5&say=it's!`);
  await call('GET', '/v1/labels', { headers: { authorization: `Bearer ${key}`, 'x-note': 'a "quoted" $HOME `id`' } });
  await call('PUT', `/v1/conversation/${CONVERSATION}/label/${LABEL}`);
  await call('PUT', `/v1/site/${SITE}/label/${LABEL}`, { headers: { 'x-api-key': '' } });
  const site = `/v1/site/${SITE}/file`;
  const body = JSON.stringify({ contentType: 'image/png', note: `it's $PATH "and" !` });
  await call('POST', `${site}/upload-url`, { headers: json, body });
  await call('POST', `${site}/upload-url`, { headers: json, body: '{"contentType":"image/png"}' });
  await call('POST', site, { headers: json, body: JSON.stringify({ name: '' }) });
}

it('every printed request runs as it is printed, against another mock, with the same answer', async () => {
  await using recorded = await startClientMock({ seeds: defaultSeeds });
  const { values, entries } = recorded;
  await sends(recorded.url, values.KEY ?? '', values);
  const keys = new Map([[values.KEY ?? '', '$OWN_KEY']]);
  const traffic = trafficOf(entries, { id: 'x', given: givenBy(values, names), keys });
  const answers: (string | number | null)[][] = [];
  for (const request of traffic.requests) {
    await using other = await startClientMock({ seeds: defaultSeeds });
    const command = clientCurl(request, traffic);
    const env = { PATH: process.env.PATH, ...environmentOf(other.values, names) };
    const { stdout } = await run('bash', ['-c', command], { env });
    const got = [...stdout.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status)).at(-1);
    // Nothing that was sent differs from what the client sent, but for the ids.
    const [sent, last] = [request, other.entries.at(-1)];
    expect([command, last?.method, last?.requestBytes]).toEqual([command, sent.method, sent.requestBytes]);
    answers.push([command, got ?? null]);
  }
  expect(answers).toEqual(traffic.requests.map((request) => [clientCurl(request, traffic), request.status]));
  expect(traffic.requests.map(({ status }) => status)).toContain(201);
  expect(answers.flat().join('\n')).not.toContain(values.KEY);
});
