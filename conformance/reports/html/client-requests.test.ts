import { expect, test } from 'vitest';
import { sampleReport } from '../../proof/sample-report.ts';
import { clientRequests } from './law-page.ts';

test.each([
  ['x-api-key: missing', /x-trace.*<mark>x-api-key: missing<\/mark>.*json-name/s],
  ['fileKey: missing', /json-name.*<mark>fileKey: missing<\/mark>/s],
])('what a request of a client lacks is marked where it belongs: %s', async (observed, place) => {
  const [sent] = (await sampleReport()).exchanges;
  if (sent === undefined) throw new Error('the sample has an exchange');
  const exchange = { ...sent, requestHeaders: { 'x-trace': '1' }, requestBody: '{"name":"a.png"}' };
  const evidence = { after: '', expected: 'it', observed, notes: [], exchange, requests: [exchange] };
  const [shown] = clientRequests(evidence, '2026-11-21T10:00:00.000Z', true);
  expect(shown?.markup).toMatch(place);
  expect(shown?.markup).toMatch(/<details class="log"><summary>Reply/);
  expect(clientRequests(evidence, '2026-11-21T10:00:00.000Z', false)[0]?.markup).not.toContain('missing');
});
