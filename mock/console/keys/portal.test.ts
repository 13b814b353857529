import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { acme } from '../../proof/acme.ts';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
beforeAll(browser.start, 30_000);
afterEach(browser.tidy);
afterAll(browser.close);

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
const secretOn = (page: Page) => page.locator('[data-secret]').evaluate((element) => String(element.textContent));

async function create(page: Page, name: string, scopes: readonly string[]) {
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a key of acme' });
  await dialog.getByLabel('Name').fill(name);
  for (const scope of scopes) await dialog.getByRole('checkbox', { name: scope }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  return secretOn(page);
}

describe.skipIf(chromium === null)('the portal', { timeout: 30_000 }, () => {
  it('creates a key, reveals it once, and revokes it: from then on 403', async () => {
    const { page, call, complaints } = await browser.open();
    const secret = await create(page, 'reader', ['conversation:read']);
    expect(await page.getByRole('dialog').textContent()).toContain('this is the only time it is shown');
    await page.getByRole('button', { name: 'I have copied it' }).click();

    expect((await call(`/v1/conversation/${acme.open}`, secret)).status).toBe(200);
    expect((await call(`/v1/site/${acme.site}`, secret)).status).toBe(403);
    const listed = await row(page, 'reader').textContent();
    expect(listed).toContain(`${secret.slice(0, 8)}…`);
    expect(listed).toContain('conversation:read');
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Revoke reader' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row(page, 'reader').getByText('REVOKED').waitFor();
    expect((await call(`/v1/conversation/${acme.open}`, secret)).status).toBe(403);
    expect(await row(page, 'reader').getByRole('button').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('copies the secret, and lets nobody lose it by Escape', async () => {
    const { page } = await browser.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const secret = await create(page, 'mine', []);
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
    expect(await secretOn(page)).toBe(secret);
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  });

  it('never shows a secret again: not after a reload, not after going back, not in what is stored', async () => {
    const { page, url } = await browser.open();
    const secret = await create(page, 'mine', []);
    await page.reload();
    await row(page, 'mine').waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Regenerate mine' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click();
    const second = await secretOn(page);
    await page.goto(`${url}/v1/health`);
    await page.goBack();
    await row(page, 'mine').waitFor();
    expect(await page.content()).not.toContain(second);

    await page.getByRole('button', { name: 'Regenerate mine' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click();
    const third = await secretOn(page);
    await page.evaluate(() => {
      location.hash = '#/requests';
    });
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await page.goBack();
    await row(page, 'mine').waitFor();
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
    );
    expect([secret, second, third].filter((one) => stored.includes(one))).toEqual([]);
    expect(await page.content()).not.toContain(third);
  });

  it('regenerates: the old secret fails at once, the new one works with the same scopes', async () => {
    const { page, call } = await browser.open();
    const old = await create(page, 'mine', ['site:read']);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Regenerate mine' }).click();
    const confirm = page.getByRole('dialog', { name: 'Regenerate mine?' });
    expect((await call(`/v1/site/${acme.site}`, old)).status).toBe(200);
    await confirm.getByRole('button', { name: 'Regenerate' }).click();
    const fresh = await secretOn(page);
    await page.getByText(`${fresh.slice(0, 8)}…`, { exact: true }).waitFor();
    expect(await secretOn(page)).toBe(fresh);
    expect((await call(`/v1/site/${acme.site}`, old)).status).toBe(403);
    expect((await call(`/v1/site/${acme.site}`, fresh)).status).toBe(200);
  });

  it('edits scopes and limit of a key, and gives the focus back', async () => {
    const { page, mock } = await browser.open();
    await page.getByRole('button', { name: 'Edit none' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit none' });
    await dialog.getByRole('checkbox', { name: /^site:write/ }).check();
    await dialog.getByRole('checkbox', { name: 'A limit of its own' }).check();
    await dialog.getByLabel('Requests per second').fill('2.5');
    await dialog.getByLabel('Burst').fill('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const key = mock.findKey({ tenant: 'acme', name: 'none' });
    expect([[...key.scopes], key.rateLimit]).toEqual([['site:write'], { perSecond: 2.5, burst: 7 }]);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Edit none');
    await row(page, 'none').getByText('2.5/s, 7 at once').waitFor();
  });

  it('says why a key cannot be made, and keeps what was typed', async () => {
    const { page, mock } = await browser.open();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('full');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').getByText('tenant acme has a key full already').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('full');
    expect(mock.keysOf('acme').filter(({ name }) => name === 'full')).toHaveLength(1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('switches between tenants, and keeps the choice in the address and over views', async () => {
    const { page } = await browser.open();
    await page.getByLabel('Tenant').selectOption('globex');
    await page.getByText('globfull…').waitFor();
    expect(page.url()).toContain('tenant=globex');
    expect(await page.getByText('acmefull…').count()).toBe(0);
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('heading', { name: 'Data' }).waitFor();
    expect(await page.getByLabel('Tenant').inputValue()).toBe('globex');
  });
});
