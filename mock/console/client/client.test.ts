import { afterEach, describe, expect, it } from 'vitest';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

describe.skipIf(chromium === null)('the page of the client, before certify judges one', () => {
  it('begins with what it will show and the command for it, then says what came in', async () => {
    const { page, call } = await browser.open({ at: '#/client' });
    const code = page.locator('.code > section');
    await code.nth(3).waitFor();
    const [first, second] = await code.allTextContents();
    expect([first, second?.slice(0, 4)]).toEqual(['npx partnerkit certify --watch --port 0', 'curl']);
    expect(await page.locator('h1 + .lead').textContent()).toMatch(/^Certify judges .* this page will show/);
    await call('/v1/health');
    await page.getByText('none yet').waitFor();
  });

  it('ends no line of a command within an option', async () => {
    const { page } = await browser.open({ at: '#/client' });
    const options = page.locator('.code .option');
    await options.nth(3).waitFor();
    for (const width of [1440, 1024, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const lines = await options.evaluateAll((all) => all.map((each) => each.getClientRects().length));
      expect(new Set(lines)).toEqual(new Set([1]));
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    expect((await page.locator('.code > section').first().boundingBox())?.height).toBeLessThan(50);
  });
});
