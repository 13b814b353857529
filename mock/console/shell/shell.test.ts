import { afterEach, describe, expect, it } from 'vitest';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

describe.skipIf(chromium === null)('the shell', () => {
  // Slow, because every view is opened.
  it('says on every view that the mock is gone, keeps showing the last state, and reconnects by itself', async () => {
    const { page, mock, url, complaints } = await browser.open({ at: '#/keys' });
    await page.getByText('acmefull…').waitFor();
    await mock.close();
    const gone = page.getByRole('alert').getByText('does not answer');
    await gone.waitFor();
    await page.getByText(`npx partnerkit mock --port ${new URL(url).port}`).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByText('acmefull…').waitFor();
    for (const link of await page.getByRole('navigation', { name: 'Views' }).getByRole('link').all()) {
      await link.click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await gone.isVisible()).toBe(true);
      expect(await page.getByRole('alert').filter({ visible: true }).count()).toBe(1);
    }
    // What only the mock can do waits for it.
    await page.evaluate(() => location.assign('#/wrong'));
    await page.getByLabel('Find a way of being wrong, not loaded').waitFor();
    await page.evaluate(() => location.assign('#/time'));
    const freeze = page.getByRole('button', { name: 'Freeze' });
    expect(await freeze.isDisabled()).toBe(true);
    // A page asks a mock that is away for the journal only.
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(new Set(asked)).toEqual(new Set(['/_mock/journal/stream']));
    const { mock: other } = await browser.open();
    other.keys.create('acme', { name: 'after', scopes: [] });
    await other.listen({ port: Number(new URL(url).port) });
    await gone.waitFor({ state: 'hidden' });
    expect(await freeze.isEnabled()).toBe(true);
    await page.evaluate(() => location.assign('#/keys'));
    await page.getByRole('link', { name: 'after' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('says at once that the mock is gone, and which view was not loaded before', async () => {
    const { page, mock } = await browser.open({ at: '#/keys' });
    await page.getByText('acmefull…').waitFor();
    await page.evaluate(() => {
      const look = () => {
        if (document.querySelector('[role="alert"]')?.textContent?.includes('does not answer')) {
          Object.assign(window, { saidAt: performance.now() });
        } else requestAnimationFrame(look);
      };
      look();
    });
    const closedAt = await page.evaluate(() => performance.now());
    await mock.close();
    await page.waitForFunction(() => 'saidAt' in window);
    const saidAt = await page.evaluate(() => (window as unknown as { saidAt: number }).saidAt);
    // Generous, since others may use the machine; a question every few seconds would take longer.
    expect(saidAt - closedAt).toBeLessThan(3_000);
    await page.getByRole('link', { name: 'Limits', exact: true }).click();
    await page.getByText('Not loaded before the mock stopped.').waitFor();
  });

  // A browser allows six connections to a host, and each stream takes one.
  it('follows nothing while its tab is hidden, and catches up when it is seen again', async () => {
    const { page, mock, call } = await browser.open({ at: '#/requests' });
    await page.getByText('live').waitFor();
    const turn = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, isHidden);
    await turn(true);
    await call('/v1/labels');
    const { size } = mock.journal;
    expect(size.kept).toBeGreaterThan(0);
    // Longer than the page takes to redraw.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(await page.getByText(/\b1 shown/).count()).toBe(0);
    await turn(false);
    await page.getByText(/\b1 shown/).waitFor();
  });

  it('works while the browser is offline, since the mock is on the same machine', async () => {
    const { page, mock } = await browser.open({ at: '#/keys' });
    await page.getByText('acmefull…').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('offline')));
    mock.keys.create('acme', { name: 'made offline', scopes: [] });
    await page.getByRole('link', { name: 'made offline' }).waitFor();
  });

  it('moves the keyboard focus to the new view when the focused link is gone', async () => {
    const { page } = await browser.open({ at: '#/keys' });
    await page.getByRole('link', { name: 'only-site-read', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'only-site-read' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('view');
  });

  it('keeps what is typed as the control token, however long that takes', async () => {
    const { page, mock } = await browser.open();
    const { url } = await mock.listen({ port: 0, control: { token: 'a-control-token' } });
    await page.clock.install();
    await page.goto(`${url}/_mock`);
    const token = page.getByLabel('Control token');
    await token.fill('a-control');
    await page.clock.runFor(10_000);
    expect(await token.inputValue()).toBe('a-control');
    await token.fill('a-control-token');
    await token.press('Enter');
    await page.getByText('acmefull…').waitFor();
  });
});
