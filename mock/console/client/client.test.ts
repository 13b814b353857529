import { afterEach, describe, expect, it } from 'vitest';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

describe.skipIf(chromium === null)('the page of the client, before certify judges one', () => {
  it('says that this mock judges nothing, and has the commands that do', async () => {
    const { page } = await browser.open({ at: '#/client' });
    const code = page.locator('.code > section');
    await code.nth(2).waitFor();
    const commands = await code.allTextContents();
    expect(commands.map((text) => text.split(' ')[0])).toEqual(['npx', 'npx', 'npx']);
    expect(commands[0]).toBe('npx partnerkit certify --watch --port 0');
    expect(await page.locator('main > .lead').textContent()).toMatch(/^This mock .* does not judge it\./);
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Judge it live',
      'Judge its tests',
      'Judge a recording',
    ]);
    // On paper a row is as high as its command.
    await page.emulateMedia({ media: 'print' });
    const strips = await page
      .locator('main > .card')
      .evaluateAll((all) =>
        all.map(
          (each) => each.getBoundingClientRect().bottom - (each.lastElementChild?.getBoundingClientRect().bottom ?? 0),
        ),
      );
    expect([strips.length, Math.max(...strips) < 14]).toEqual([3, true]);
    expect(await page.getByText('verdict', { exact: true }).count()).toBe(0);
  });

  it('ends no line of a command within a word, a key or an address, where a line has room for it', async () => {
    const { page, go } = await browser.open({ at: '#/limits' });
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
    // What says that there is nothing, and the command that changes it, begin at one place.
    const empty = page.locator('.empty');
    const starts = await empty.locator('> *').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
    expect([starts.length, new Set(starts).size]).toEqual([2, 1]);
    expect(await empty.evaluate((each) => getComputedStyle(each).textAlign)).toBe('start');
    await go('#/client');
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect((await page.locator('.code').first().boundingBox())?.height).toBeLessThan(50);
    }
  });
});
