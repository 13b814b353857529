import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { wrong } from '../wrong/wrong.ts';
import { acme } from './acme.ts';
import type { consoleBrowser } from './console-browser.ts';

type ConsoleBrowser = ReturnType<typeof consoleBrowser>;

/** Whatever axe finds, with the element. */
export async function findings(page: Page): Promise<string[]> {
  // Once for each document: reading it takes as long as the checks.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  // What is in order is not told in detail: that takes longer than the checks.
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html }) => `${impact} ${id}: ${html.slice(0, 160)}`),
  );
}

const views = [
  '#/keys',
  '#/requests',
  '#/requests?id=2',
  '#/limits',
  '#/data?kind=conversations',
  '#/data?kind=labels',
  '#/data?kind=files',
  `#/data?tenant=acme&record=conversation/${acme.open}`,
  `#/data?tenant=acme&record=site/${acme.site}`,
  '#/time',
  '#/wrong?find=auth',
  '#/client',
  '#/reference',
  '#/reference?operation=startSiteFileUpload',
];
const dialogs = [
  ['#/keys', 'Create key'],
  ['#/data', 'Copy acme…'],
  ['#/time', 'Add a fault'],
] as const;

/** A console in which something has happened. */
export async function busyConsole(browser: ConsoleBrowser, scheme: 'light' | 'dark', width: number) {
  const opened = await browser.open({ scheme, width });
  const { call, mock } = opened;
  await call('/v1/labels');
  await call(`/v1/conversation/${acme.open}/label/${acme.vip}`, acme.none, { method: 'PUT' });
  const headers = { 'content-type': 'application/json' };
  const body = '{"contentType":"text/plain"}';
  await call(`/v1/site/${acme.site}/file/upload-url`, acme.full, { method: 'POST', headers, body });
  mock.faults.add({ operationId: 'getSite', reply: { status: 503 } });
  mock.faults.add({ operationId: 'listLabels', times: 1, damage: 'malformed' });
  await call('/v1/labels');
  mock.setWrong(wrong('auth/no-key-served-by-listLabels'));
  mock.clock.freeze();
  return opened;
}

/** As a link does: the document stays, and with it axe, which need not be read and compiled again. */
async function follow(page: Page, view: string): Promise<void> {
  await page.evaluate(async (hash) => {
    const followed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = hash;
    await followed;
  }, view);
  await page.waitForFunction(() => !document.querySelector('main')?.textContent?.includes('Loading…'));
}

type Form = readonly [scheme: 'light' | 'dark', width: number];

/** What is wrong with each view in each form: what axe finds, and what sticks out. */
export async function viewFindings(browser: ConsoleBrowser, forms: readonly Form[]) {
  const { page } = await busyConsole(browser, 'light', 1440);
  const found: Record<string, unknown> = {};
  for (const view of views) {
    await follow(page, view);
    for (const [colorScheme, width] of forms) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const here = [...(await findings(page)), ...(wide > 0 ? [`${wide} px too wide`] : [])];
      if (here.length > 0) found[`${view}, ${colorScheme}, ${width} px`] = here;
    }
  }
  return found;
}

/** What axe finds in each dialog, by what opens it. */
export async function dialogFindings(browser: ConsoleBrowser, scheme: 'light' | 'dark') {
  const { page } = await busyConsole(browser, scheme, 1440);
  const found: Record<string, unknown> = {};
  for (const [view, button] of dialogs) {
    await follow(page, view);
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').waitFor();
    const here = await findings(page);
    if (here.length > 0) found[button] = here;
  }
  await follow(page, '#/keys');
  await page.getByRole('link', { name: 'full', exact: true }).click();
  await page.getByRole('button', { name: 'Regenerate…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click();
  await page.getByRole('button', { name: 'Copy key' }).waitFor();
  const revealed = await findings(page);
  if (revealed.length > 0) found['a new secret'] = revealed;
  return found;
}
