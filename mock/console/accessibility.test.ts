import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { acme } from '../proof/acme.ts';
import { chromium, consoleBrowser } from '../proof/console-browser.ts';

const browser = consoleBrowser();
beforeAll(browser.start);
afterEach(browser.tidy);
afterAll(browser.close);

/** Whatever axe finds, with the element. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
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
  '#/client',
  '#/reference',
  '#/reference?operation=startSiteFileUpload',
];
const dialogs = [
  ['#/keys', 'Create key'],
  ['#/data', 'Copy acme…'],
  ['#/time', 'Add a fault'],
] as const;

async function busyConsole(scheme: 'light' | 'dark', width: number) {
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
  mock.clock.freeze();
  return opened;
}

// axe looks at every element of a dozen views, each in a fresh page.
describe.skipIf(chromium === null)('accessibility', () => {
  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('axe finds nothing on any view, %s, %d px wide, and nothing sticks out', async (scheme, width) => {
    const { page, go } = await busyConsole(scheme, width);
    const found: Record<string, unknown> = {};
    for (const view of views) {
      await go(view);
      await page.waitForFunction(() => !document.querySelector('main')?.textContent?.includes('Loading…'));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const here = [...(await findings(page)), ...(wide > 0 ? [`${wide} px too wide`] : [])];
      if (here.length > 0) found[view] = here;
    }
    expect(found).toEqual({});
  });

  it.each(['light', 'dark'] as const)('axe finds nothing in any dialog, %s', async (scheme) => {
    const { page, go } = await busyConsole(scheme, 1440);
    const found: Record<string, unknown> = {};
    for (const [view, button] of dialogs) {
      await go(view);
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog').waitFor();
      const here = await findings(page);
      if (here.length > 0) found[button] = here;
    }
    await go('#/keys');
    await page.getByRole('button', { name: 'Actions of full', exact: true }).click();
    const menu = await findings(page);
    await page.getByRole('menuitem', { name: 'Regenerate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    const revealed = await findings(page);
    expect([found, menu, revealed]).toEqual([{}, [], []]);
  });

  it('is used by keyboard alone: from the first key press to a made key', async () => {
    const { page, mock } = await browser.open();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    await page.getByText('acmefull…').waitFor();
    await press('Tab');
    expect(await focused()).toBe('Skip to content');
    await press('Enter', 'Tab', 'Tab');
    expect(await focused()).toBe('Create key');
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('typed');
    await press('Tab', 'Tab', 'Tab', 'Space', 'Enter');
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    expect([...mock.findKey({ tenant: 'acme', name: 'typed' }).scopes]).toEqual(['conversation:read']);
    await press('Tab', 'Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Create key');
  });

  it('shows where one is, on a narrow screen too', async () => {
    const { page } = await browser.open({ at: '#/reference', width: 390 });
    const box = await page.getByRole('navigation', { name: 'Views' }).locator('[aria-current]').boundingBox();
    expect(box?.x).toBeGreaterThan(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(391);
  });

  it('asks for the control token where the mock wants one, and follows the journal with it', async () => {
    const { page, mock } = await browser.open();
    const { url } = await mock.listen({ port: 0, control: { token: 'a-control-token' } });
    await page.goto(`${url}/_mock#/requests`);
    await page.getByLabel('Control token').fill('a-wrong-token');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('does not know that token').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel('Control token').fill('a-control-token');
    await page.keyboard.press('Enter');
    await page.getByText('live', { exact: true }).waitFor();
    await fetch(`${url}/v1/health`, { headers: { 'x-api-key': acme.full } });
    await page.getByRole('link', { name: 'GET getHealth' }).waitFor();
    await page.goto(`${url}/_mock#/data`);
    const arriving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download snapshot' }).click();
    expect((await arriving).suggestedFilename()).toBe('partnerkit-snapshot.json');
  });

  it('fits every width from a telephone to a large screen', async () => {
    const { page, go } = await busyConsole('light', 320);
    const sticking: string[] = [];
    for (const view of ['#/keys', '#/requests?id=2', '#/data', '#/reference?operation=applyClientSiteLabel']) {
      await go(view);
      await page.waitForFunction(() => !document.querySelector('main')?.textContent?.includes('Loading…'));
      for (const width of [320, 700, 900, 1024, 1280, 1360, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) sticking.push(`${view} at ${width}: ${wide} px`);
      }
    }
    expect(sticking).toEqual([]);
  });

  it('moves nothing for those who asked for that', async () => {
    const { page } = await browser.open();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((element) => {
          const { transitionDuration, animationName } = getComputedStyle(element);
          return transitionDuration !== '0s' || animationName !== 'none';
        }).length,
    );
    expect(moving).toBe(0);
  });
});
