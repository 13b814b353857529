import { afterEach, describe, expect, it } from 'vitest';
import { acme } from '../proof/acme.ts';
import { busyConsole, dialogFindings, findings, viewFindings } from '../proof/console-accessibility.ts';
import { chromium, consoleBrowser } from '../proof/console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

// Slow, because axe checks every element of a dozen views, in two schemes and widths.
describe.skipIf(chromium === null)('accessibility', () => {
  // `npm run test:proof` tries light on a narrow screen, dark on a wide one, and dark dialogs.
  it('axe finds nothing on any view, light and wide or dark and narrow, and nothing is wider than the screen', async () => {
    const forms = [
      ['light', 1440],
      ['dark', 390],
    ] as const;
    expect(await viewFindings(browser, forms)).toEqual({});
  });

  it('axe finds nothing in any dialog', async () => {
    expect(await dialogFindings(browser, 'light')).toEqual({});
  });

  it('can create a key by keyboard alone', async () => {
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
    expect([...mock.keys.find({ tenant: 'acme', name: 'typed' }).scopes]).toEqual(['conversation:read']);
    await press('Tab', 'Tab', 'Tab', 'Tab', 'Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Create key');
  });

  it('marks the current view, on a narrow screen too', async () => {
    const { page } = await browser.open({ at: '#/reference', width: 390 });
    const views = page.getByRole('navigation', { name: 'Views' });
    expect((await views.boundingBox())?.height).toBeLessThan(60);
    const box = await views.locator('[aria-current]').boundingBox();
    expect(box?.x).toBeGreaterThan(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(391);
  });

  it('asks for the control token if the mock requires one, and follows the journal with it', async () => {
    const { page, mock } = await browser.open();
    const { url } = await mock.listen({ port: 0, control: { token: 'a-control-token' } });
    await page.goto(`${url}/_mock#/requests`);
    await page.getByLabel('Control token').fill('a-wrong-token');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('not the control token').waitFor();
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
    const { page, go } = await busyConsole(browser, 'light', 320);
    const tooWide: string[] = [];
    for (const view of ['#/keys', '#/requests?id=2', '#/data', '#/reference?operation=applyClientSiteLabel']) {
      await go(view);
      await page.waitForFunction(() => !document.querySelector('main')?.textContent?.includes('Loading…'));
      for (const width of [320, 700, 900, 1024, 1280, 1360, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) tooWide.push(`${view} at ${width}: ${wide} px`);
      }
    }
    expect(tooWide).toEqual([]);
  });

  it('animates nothing if the reader prefers reduced motion', async () => {
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
  it('prints in colour, whole, and without what only a screen needs', async () => {
    const { page, call, go } = await browser.open();
    await call('/v1/labels');
    await go('#/limits');
    await page.locator('rect.admitted').waitFor();
    await page.emulateMedia({ media: 'print' });
    const adjusted = await page.evaluate(() =>
      ['rect.admitted', '.swatch.admitted'].map((place) => {
        const element = document.querySelector(place);
        return element && getComputedStyle(element).getPropertyValue('print-color-adjust');
      }),
    );
    expect(adjusted).toEqual(['exact', 'exact']);
    expect(await page.getByRole('navigation', { name: 'Views' }).isVisible()).toBe(false);
    await go('#/requests?id=1');
    const reply = page.getByRole('region', { name: 'Reply', exact: true });
    await reply.getByText('"vip"').waitFor();
    expect(await reply.getByRole('button').first().isVisible()).toBe(false);
    const cut = await page.evaluate(
      () =>
        [...document.querySelectorAll('.code > section, .journal, .detail')].filter(
          (element) => element.scrollHeight > element.clientHeight + 2,
        ).length,
    );
    expect(cut).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  });
});
