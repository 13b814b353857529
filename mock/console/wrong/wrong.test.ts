import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';
import { wrongWays } from '../../wrong/wrong.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

describe.skipIf(chromium === null)('wrong on purpose', () => {
  it('breaks one rule on purpose, says so everywhere, and keeps all again', async () => {
    const { page, mock, complaints } = await browser.open({ at: '#/wrong' });
    // It begins with some of which each breaks another rule, and that a client sees. Areas lead to the others.
    const panel = page.locator('main');
    const found = panel.getByRole('row').filter({ has: page.locator('th code') });
    await expect.poll(() => found.count()).toBe(5);
    const areas = panel.getByRole('navigation', { name: 'Areas' });
    const counts = (await areas.getByRole('link').allTextContents()).map((text) => Number(text.split(' ')[1]));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(wrongWays.length);
    const names = (await areas.getByRole('link').allTextContents()).map((text) => text.split(' ')[0]);
    expect(names.indexOf('limits') - names.indexOf('limiter')).toBe(1);
    await areas.getByRole('link', { name: /^limits / }).click();
    await panel.getByText('7 ways, 2 rules').waitFor();
    await page.goBack();
    await expect.poll(() => found.count()).toBe(5);
    const find = page.getByLabel(`Find a way of being wrong, of ${wrongWays.length}`);
    await find.fill('no-key-is-999');
    // An unknown word is said to be one, and is no error.
    await page.getByText('0 ways, 0 rules').waitFor();
    await panel.getByText('No way has all of these words.').waitFor();
    await panel.getByRole('link', { name: 'Clear' }).click();
    await expect.poll(() => found.count()).toBe(5);
    expect(await page.getByRole('alert').filter({ visible: true }).count()).toBe(0);
    // Those whose id begins so come first, one for each rule that they break. What is folded is counted, and printed.
    await find.fill('labels');
    await panel.getByText('179 ways, 29 rules').waitFor();
    expect([await panel.locator('summary').textContent(), await found.count()]).toEqual([
      'Other ways to break these rules 150',
      29,
    ]);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2_600);
    expect(await found.first().locator('th').textContent()).toBe('listLabels answers 501labels/listLabels-answers-501');
    const first = await found.first().locator('td').first().textContent();
    expect(first).toBe('GET /v1/labels with the key acme/noneexpected success, got 501');
    // On a telephone they stay within the page.
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    // What is sent and answered has the whole line, below its name.
    expect((await found.first().locator('td > div').boundingBox())?.x).toBe(
      (await found.first().locator('th code').boundingBox())?.x,
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ media: 'print' });
    expect(await found.filter({ visible: true }).count()).toBe(179);
    await page.emulateMedia({ media: 'screen' });
    // What a client sees is found as well.
    await find.fill('GET /v1/site');
    await panel.getByText(/^28 ways, /).waitFor();
    await find.fill('ve');
    const mixed = (await panel.locator('th code').allTextContents()).map((id) => id.startsWith('ve'));
    expect(mixed.filter(Boolean)).toHaveLength(1);
    expect(mixed).toEqual(mixed.toSorted((a, b) => Number(b) - Number(a)));
    // The words may come in any order, and no signature of an upload URL is printed.
    const only = async (words: string) => {
      await find.fill(words);
      await panel.getByText('1 way, 1 rule').waitFor();
      return (await found.locator('td').allTextContents()).join(' | ');
    };
    expect(await only('ignored  Expired')).toMatch(/^PUT \/storage\/acme\/…\w{4} without a key/);
    // What our own runs miss is not said to be seen.
    expect(await only('auth/narrow-key-expires')).toMatch(/^Our own runs miss it: no run sends forty/);
    expect(await only('no-key-served listLabels')).toMatch(
      /^GET \/v1\/labels without a keyexpected 403 .*, got 200 \| /,
    );
    await page.getByRole('button', { name: 'Break it auth/no-key-served-by-listLabels' }).click();
    await page.getByRole('link', { name: 'wrong on purpose', exact: true }).waitFor();
    expect(mock.wrong?.id).toBe('auth/no-key-served-by-listLabels');
    const now = page.getByRole('region', { name: 'Broken now' });
    await now.getByText('A request without a key is answered with 403.').waitFor();
    await now.getByText('npx partnerkit mock --wrong auth/no-key-served-by-listLabels').waitFor();
    expect(await now.locator('dd > code').textContent()).toBe('auth/no-key-served-by-listLabels');
    expect(await panel.locator('[data-state="marked"] .badge').allTextContents()).toEqual(['broken now']);
    expect(await now.getByRole('button', { name: 'Copy the command', exact: true }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Break it auth/no-key-served-by-listLabels' }).count()).toBe(0);
    const origin = new URL(page.url()).origin;
    const command = await page.getByRole('region', { name: 'the commands' }).textContent();
    expect(command).toBe(`curl -si ${origin}/v1/labels`);
    const { stdout } = await promisify(execFile)('sh', ['-c', command ?? '']);
    expect(stdout).toMatch(/^HTTP\/1.1 200 /);
    // What it has changed is one click away, and from there it is.
    await now.getByRole('link', { name: '1', exact: true }).click();
    // A success that is none is not green, and is counted beside what was refused.
    const served = page.locator('[data-exchange="1"]');
    expect(await served.locator('.badge.bad').allTextContents()).toEqual(['200']);
    expect(await served.locator('.why.wrong').textContent()).toMatch(/^Wrong on purpose: no key served by listLabels/);
    expect(await page.locator('main .badge.good:not([role])').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: '1 wrong on purpose' }).click();
    await page.waitForURL(/status=wrong/);
    await page.getByRole('link', { name: 'GET listLabels' }).click();
    const told = page.getByRole('region', { name: 'Details of request 1' }).locator('.alert');
    await told.getByText('Wrong on purpose: no key served by listLabels').waitFor();
    await told.getByText('A request without a key is answered with 403.').waitFor();
    await page.getByRole('link', { name: 'Go to auth/no-key-served-by-listLabels' }).click();
    await page.getByRole('button', { name: 'Keep all rules again' }).click();
    await page.getByRole('link', { name: 'wrong on purpose', exact: true }).waitFor({ state: 'detached' });
    expect((await fetch(`${origin}/v1/labels`)).status).toBe(403);
    expect(complaints).toEqual([]);
  });
});
