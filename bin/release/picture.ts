import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formats, parseTarget, runConformance } from '../../conformance/index.ts';
import { createMock } from '../../mock/index.ts';
import { sharedChromium } from '../../mock/proof/chromium.ts';
import { wrong } from '../../mock/wrong/wrong.ts';
import { root } from './programs.ts';

/** `npm run picture` takes README's picture: the console beside the reports on a deployment that breaks a rule and on one that keeps all. */

const browser = await sharedChromium();
const context = await browser.newContext({ viewport: { width: 1180, height: 850 }, colorScheme: 'light' });
const page = await context.newPage();
const figures: string[] = [];
/** On a new page, because the last one had a content security policy. */
async function show(text: string): Promise<void> {
  await page.goto('about:blank');
  await page.setContent(text);
}
async function shoot(words: string): Promise<void> {
  const image = `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;
  figures.push(`<figure><img src="${image}"><figcaption>${words}</figcaption></figure>`);
}

await using mock = await createMock();
const { url } = await mock.listen({ port: 0 });
const ask = (path: string, key = 'acmefull-fake-secret-0000000000000001', method = 'GET') =>
  fetch(url + path, { method, headers: { 'x-api-key': key } });
const conversation = '/v1/conversation/c0000001-0000-4000-8000-000000000001';
await Promise.all(Array.from({ length: 24 }, () => ask('/v1/labels', 'acmelimt-fake-secret-0000000000000004')));
for (const path of ['/v1/labels', `${conversation}/context`, '/v1/site/10042', '/v1/site/nowhere']) await ask(path);
await ask(`${conversation}/label/1abe1008-0000-4000-8000-000000000008`, undefined, 'PUT');
await ask('/v1/labels', 'acmerevk-fake-secret-0000000000000003');
await ask(`${conversation}/label/1abe1008-0000-4000-8000-000000000008`, 'acmenone-fake-secret-0000000000000002', 'PUT');
const [refused] = mock.journal.list({ status: 403, operationId: 'applyConversationLabel' });
await page.goto(`${url}/_mock#/requests?id=${refused?.id}`);
await page.getByText('Reply', { exact: true }).first().waitFor();
await page.getByText(/^\d+ refused$/).waitFor();
await shoot('The console: every request, and why it was refused');

const rateLimit = { perSecond: 1_000, burst: 1_000 };
for (const [words, options] of [
  ['A deployment that breaks a rule', { rateLimit, wrong: wrong('auth/no-key-is-401') }],
  ['A deployment that keeps the contract', { rateLimit }],
] as const) {
  await using judged = await createMock(options);
  const { url } = await judged.listen({ port: 0 });
  const target = parseTarget(await (await fetch(`${url}/_mock/target?format=json`)).json(), {}, url);
  await show(formats.html(await runConformance(target, { only: ['auth', 'scopes'], allowNotRun: true })));
  await shoot(words);
}

await page.setViewportSize({ width: 1440, height: 760 });
await show(`<style>
  body { margin: 16px; display: grid; grid-template-columns: 2fr 1fr; gap: 16px; background: #e9ecf1; font: 15px system-ui; color: #1b2330 }
  figure { margin: 0 } figure:first-child { grid-row: span 2 } img { width: 100%; border: 1px solid #c8ced8; border-radius: 8px; display: block } figcaption { margin-top: 6px }
</style>${figures.join('')}`);
writeFileSync(join(root, 'mock/console/console.png'), await page.screenshot());
await browser.close();
