import { afterEach, describe, expect, it } from 'vitest';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

describe.skipIf(chromium === null)('the page of the client, before certify judges one', () => {
  it('says that this mock judges nothing, has the commands that do, and below them what came in', async () => {
    const { page, call } = await browser.open({ at: '#/client' });
    const code = page.locator('.code > section');
    await code.nth(3).waitFor();
    const commands = await code.allTextContents();
    expect(commands.map((text) => text.split(' ')[0])).toEqual(['npx', 'npx', 'npx', 'curl']);
    expect(commands[0]).toBe('npx partnerkit certify --watch --port 0');
    expect(await page.locator('main > .lead').textContent()).toMatch(/^This mock .* does not judge it\./);
    await call('/v1/health');
    const seen = page.getByRole('region', { name: 'Requests to this mock, not judged' });
    await seen.getByText('acme/full').waitFor();
    expect(await page.getByText('verdict', { exact: true }).count()).toBe(0);
  });

  it('ends no line of a command within a word, a key or an address, where a line has room for it', async () => {
    const { page } = await browser.open({ at: '#/client' });
    const words = page.locator('.code .word');
    await words.filter({ hasText: 'acmefull-' }).waitFor();
    for (const width of [1440, 1024, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const letters = width === 320 ? 28 : 40;
      const heights = await words.evaluateAll(
        (all, most) =>
          all.flatMap((each) => ((each.textContent ?? '').length > most ? [] : each.getBoundingClientRect().height)),
        letters,
      );
      expect(Math.max(...heights)).toBeLessThan(25);
    }
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect((await page.locator('.code').first().boundingBox())?.height).toBeLessThan(50);
    }
    // What says that there is nothing, and the command that changes it, begin at one place.
    const empty = page.locator('.empty');
    const starts = await empty.locator('> *').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
    expect([starts.length, new Set(starts).size]).toEqual([2, 1]);
    expect(await empty.evaluate((each) => getComputedStyle(each).textAlign)).toBe('start');
  });
});
