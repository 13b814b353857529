import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { acme, globex } from '../../proof/acme.ts';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

describe.skipIf(chromium === null)('limits', () => {
  it('shows admitted and throttled requests in the chart, and the level of the bucket', async () => {
    const { page, call, mock, complaints } = await browser.open({ at: '#/limits?key=limits' });
    mock.clock.freeze();
    const replies = await Promise.all(Array.from({ length: 33 }, () => call('/v1/health', acme.limits)));
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(13);
    const chart = page.getByRole('img', {
      name: /^Key limits, the last minute: 20 admitted, 13 throttled, level now 0\.0$/,
    });
    await chart.waitFor();
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'limits', exact: true }) });
    const levelNow = row.locator('td:has(meter) > span');
    await row.getByText(/^\W*0\.0 of 20$/).waitFor();
    const narrow = await levelNow.boundingBox();

    // The chart itself has both bars, one above the other, in the colours of the legend.
    const [admitted, throttled] = [chart.locator('rect.admitted'), chart.locator('rect.throttled')];
    const [below, above] = [await admitted.boundingBox(), await throttled.boundingBox()];
    expect(Math.abs((above?.y ?? 0) + (above?.height ?? 0) - (below?.y ?? 0))).toBeLessThan(1);
    expect((below?.height ?? 0) / (above?.height ?? 1)).toBeCloseTo(20 / 13, 1);
    const colours = await page.evaluate(() =>
      [document.querySelector('rect.throttled'), document.querySelector('.swatch.throttled')].map(
        (element) => element && getComputedStyle(element)[element.tagName === 'rect' ? 'fill' : 'borderTopColor'],
      ),
    );
    expect(colours[0]).toBe(colours[1]);

    // Requests stand against the rate, and the level of the bucket, which is no number of requests, has a chart of its own.
    const [requests, level] = [chart.locator('svg').first(), chart.locator('svg').last()];
    expect([await requests.locator('.rate').count(), await requests.locator('.level').count()]).toEqual([1, 0]);
    expect([await level.locator('rect').count(), await level.locator('.level').count()]).toEqual([0, 1]);
    await chart.getByText('rate: 10/s').waitFor();
    await chart.getByText('Requests per second, peak 33', { exact: true }).waitFor();
    await chart.getByText('full at 20').waitFor();
    expect(await chart.locator('p').last().textContent()).toMatch(/full at 20$/);
    await row.getByText('in 0.1 s').waitFor();
    // The zone is said once.
    expect(await page.locator('.chart').textContent()).toMatch(/^(?!.*UTC.*UTC).*UTC\d\d:\d\d:\d\d/);

    // One second of the mock's clock refills ten requests.
    mock.clock.advance('1s');
    await row.getByText('10.0 of 20').waitFor();
    // Its columns stay where they are while it counts.
    expect((await levelNow.boundingBox())?.width).toBe(narrow?.width);
    // A minute later the last minute is empty.
    mock.clock.advance('61s');
    const idle = page.locator('.empty', { hasText: 'It was not used in the last minute.' });
    await idle.waitFor();
    await row.getByText('20.0 of 20').waitFor();
    // How many requests were throttled is still said, and how to use the key again.
    const those = page.getByText('Throttled so far: 13').getByRole('link');
    expect(await those.getAttribute('href')).toBe('#/requests?tenant=acme&status=429');
    const command = (await idle.locator('.code > section').textContent()) ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(stdout).toMatch(/^HTTP\/1.1 200/);
    await page.getByRole('img', { name: /^Key limits, the last minute: 1 admitted, 0 throttled/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows requests from before it was opened, even if the journal has dropped them', async () => {
    const { page, call, mock, go } = await browser.open({}, { journal: { entries: 5 } });
    mock.clock.freeze();
    for (let i = 0; i < 25; i++) await call('/v1/health');
    await go('#/limits');
    await page
      .getByRole('img', { name: 'Key full, the last minute: 20 admitted, 5 throttled, level now 0.0' })
      .waitFor();
  });

  it('lists the keys by what was throttled and by their use, and shows the last minute of the chosen one', async () => {
    const { page, call, go, mock } = await browser.open();
    mock.clock.freeze();
    const small = mock.keys.create('acme', { name: 'small', scopes: [], rateLimit: { perSecond: 1, burst: 1 } });
    for (const key of [acme.limits, acme.limits, acme.limits, small.secret, small.secret])
      await call('/v1/health', key);
    await go('#/limits');
    await page.getByRole('img', { name: /^Key small, the last minute: 1 admitted, 1 throttled/ }).waitFor();
    expect((await page.getByRole('rowheader').allTextContents()).slice(0, 2)).toEqual(['small', 'limits']);
    // The others, whose buckets are full, are folded.
    expect(await page.getByRole('rowheader').count()).toBe(2);
    const idle = page.locator('details', { hasText: 'Idle keys' });
    await idle.locator('summary').click();
    expect(await idle.getByRole('row').count()).toBeGreaterThan(5);
    await idle.getByRole('link', { name: 'none', exact: true }).click();
    await page.getByRole('heading', { name: 'acme / none, last minute' }).waitFor();
    await page.getByText('It was not used in the last minute.').waitFor();
    // Its own key, not another, is in the command that uses it.
    await page.getByRole('region', { name: 'the command' }).getByText(acme.none).waitFor();
    // It stands with the used ones, marked, for whoever follows a link to it as well.
    expect(await page.locator('main > .stacking tr[data-state="marked"]').textContent()).toMatch(/^none/);
    await page.reload();
    await page.locator('tr[data-state="marked"]').waitFor();
    expect(await page.getByRole('rowheader').filter({ visible: true }).count()).toBe(3);
    expect(await page.getByRole('img', { name: /the last minute/ }).count()).toBe(0);
    // So it is where the address names none.
    mock.clock.advance('61s');
    await go('#/limits');
    await page.getByRole('heading', { name: 'acme / limits, last minute' }).waitFor();
    await page.getByRole('region', { name: 'the command' }).getByText(acme.limits).waitFor();
  });

  it('shows no other key in the place of one that has no bucket', async () => {
    const { page } = await browser.open({ at: '#/keys?tenant=acme&key=revoked' });
    await page.getByRole('link', { name: 'requests', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'last minute' }).count()).toBe(0);
    await page.goto(page.url().replace(/#.*/, '#/limits?tenant=acme&key=revoked'));
    await page.getByText('This tenant has no active key “revoked”.').waitFor();
    expect(await page.getByRole('heading', { name: /last minute$/ }).count()).toBe(0);
    // Another tenant has keys of its own.
    await page.getByLabel('Tenant').selectOption('globex');
    await page.getByText('It was not used in the last minute.').waitFor();
    // Where none was used, the first one is shown, and the others are folded.
    await page.getByText('Idle keys').click();
    expect(await page.getByRole('rowheader').filter({ visible: true }).allTextContents()).toEqual(['full', 'reader']);
    await page.getByRole('region', { name: 'the command' }).getByText(globex.full).waitFor();
  });

  it('fits narrow screens: a table as long as there is room, and times that do not collide', async () => {
    const { page, call, mock } = await browser.open({ at: '#/limits', width: 1024 });
    mock.clock.freeze();
    for (const key of [acme.full, acme.none, acme.limits]) await call('/v1/health', key);
    // The longest levels there are.
    await mock.clock.advance(50);
    await page.getByText('19.5 of 20').nth(2).waitFor();
    await page.getByRole('figure').first().waitFor();
    const heads = page.getByRole('columnheader', { name: 'Admitted' });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const beyond = () =>
      page.evaluate(() => {
        const [table, chart] = ['table', 'figure'].map((each) => document.querySelector(each)?.getBoundingClientRect());
        return (table?.right ?? 0) - (chart?.right ?? 0);
      });
    expect([await overflow(), await beyond(), ((await heads.boundingBox())?.height ?? 99) < 40]).toEqual([0, 0, true]);
    const levels = await page
      .locator('td:has(meter) > span')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height < 25));
    expect([levels.length > 2, new Set(levels)]).toEqual([true, new Set([true])]);
    await page.setViewportSize({ width: 390, height: 844 });
    const times = await page
      .locator('.chart-times span')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 0));
    expect(times.map(({ height }) => height < 25)).toEqual([true, true, true]);
    // The last of the six is among them, and within the chart.
    const last = await page.locator('.chart-times span').last().boundingBox();
    const figure = await page.getByRole('figure').boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 999)).toBeLessThan((figure?.x ?? 0) + (figure?.width ?? 0));
    expect(last?.width).toBeGreaterThan(10);
    // So is each at every second at which it may stand, and a line leads up from it.
    const plot = await page.locator('.chart svg').first().boundingBox();
    const { x: left = 0, width = 0 } = plot ?? {};
    for (let second = 0; second < 10; second++) {
      const places = await page
        .locator('.chart-times span')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).filter((each) => each.width > 0));
      expect(Math.min(...places.map((each) => each.left))).toBeGreaterThanOrEqual(left - 1);
      expect(Math.max(...places.map((each) => each.right))).toBeLessThanOrEqual(left + width + 1);
      await mock.clock.advance(1_000);
    }
    for (const [i, { right }] of times.entries()) expect(right).toBeLessThan(times[i + 1]?.left ?? 390);
    expect(await overflow()).toBe(0);
  });

  it('writes large numbers whole, and draws a rate far above the bars nowhere', async () => {
    const { page, call, mock } = await browser.open({ at: '#/limits?key=large' });
    const { secret } = mock.keys.create('acme', {
      name: 'large',
      scopes: [],
      rateLimit: { perSecond: 1_500, burst: 5_000 },
    });
    mock.clock.freeze();
    await call('/v1/health', secret);
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'large', exact: true }) });
    await row.getByText('1,500/s, 5,000 at once').waitFor();
    await row.getByText('4,999.0 of 5,000').waitFor();
    await page.getByText('rate: 1,500/s, far above').waitFor();
    expect(await page.locator('.chart path.rate').count()).toBe(0);
  });

  it('promises no level where there is no limit', async () => {
    const { page, call } = await browser.open({ at: '#/limits' }, { rateLimit: false });
    await call('/v1/health');
    await page.getByRole('img', { name: 'Key full, the last minute: 1 admitted, 0 throttled' }).waitFor();
    expect(await page.locator('.chart').textContent()).not.toMatch(/level|rate/i);
  });

  it('links the throttled requests to the journal', async () => {
    const { page, call, mock } = await browser.open({ at: '#/limits' });
    mock.clock.freeze();
    await Promise.all(Array.from({ length: 22 }, () => call('/v1/health')));
    await page.getByText('Throttled so far: 2').getByRole('link').click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await page.getByText('2 of 22 shown').waitFor();
  });
});
