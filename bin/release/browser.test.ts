import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findChromium, sharedChromium } from '../../mock/proof/chromium.ts';
import { onLoopback } from '../../spec/proof/processes.ts';
import { built } from './program.ts';

it.runIf(findChromium() !== null)(
  'the mock and the judge of limits run in a browser, as they are bundled',
  async () => {
    const server = createServer(({ url = '' }, response) => {
      const script = url.endsWith('.js');
      response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
      response.end(script ? readFileSync(join(built, url)) : '<!doctype html><title>a page</title>');
    });
    const address = await onLoopback(server);
    const page = await (await sharedChromium()).newPage();
    try {
      await page.goto(address);
      expect(await page.evaluate(inPage)).toEqual([200, 'too-lax']);
    } finally {
      await page.close();
      server.close();
    }
  },
);

const inPage = `(async () => {
  const { createMock } = await import('/mock/in-process.js');
  const { judge } = await import('/spec/limiter/rate-limit.js');
  const mock = await createMock();
  const headers = { 'x-api-key': 'acmefull-fake-secret-0000000000000001' };
  const { status } = await mock.handle({ method: 'GET', url: '/v1/labels', headers, origin: 'http://localhost', body: null });
  const observations = Array.from({ length: 60 }, (_, i) => ({ sentAt: i, doneAt: i + 1, status: 200 }));
  return [status, judge({ perSecond: 10, burst: 20 }, observations).verdict];
})()`;
