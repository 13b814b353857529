import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { acme } from '../../proof/acme.ts';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const secretOn = (page: Page) => page.locator('[data-secret]').evaluate((element) => String(element.textContent));

/** Opens the page of a key and its dialog. */
async function act(page: Page, name: string, what: string) {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('button', { name: `${what}…` }).click();
}

const back = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Developer' }).click();

async function create(page: Page, name: string, scopes: readonly string[]) {
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a key of acme' });
  await dialog.getByLabel('Name').fill(name);
  for (const scope of scopes) await dialog.getByRole('checkbox', { name: scope }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  if (scopes.length === 0) await dialog.getByRole('button', { name: 'Create key without scopes' }).click();
  return secretOn(page);
}

describe.skipIf(chromium === null)('the portal', () => {
  it('creates a key, reveals it once, and revokes it, after which it gets 403', async () => {
    const { page, call, complaints } = await browser.open();
    const secret = await create(page, 'reader', ['conversation:read']);
    expect(await page.getByRole('dialog').textContent()).toContain('this is the only time it is shown');
    await page.getByRole('button', { name: 'I have copied it' }).click();

    expect((await call(`/v1/conversation/${acme.open}`, secret)).status).toBe(200);
    expect((await call(`/v1/site/${acme.site}`, secret)).status).toBe(403);
    const listed = await row(page, 'reader').textContent();
    // On a telephone the button stands beside the tenant, whose key it creates.
    await page.setViewportSize({ width: 390, height: 844 });
    const [select, button] = await Promise.all(
      [page.getByLabel('Tenant'), page.getByRole('button', { name: 'Create key' })].map((each) => each.boundingBox()),
    );
    expect(button?.y).toBeLessThan((select?.y ?? 0) + (select?.height ?? 0));
    expect(button?.x).toBeGreaterThan((select?.x ?? 0) + (select?.width ?? 0));
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(listed).toContain(`${secret.slice(0, 8)}…`);
    expect(listed).toContain('conversation:read');
    expect(await page.content()).not.toContain(secret);

    await act(page, 'reader', 'Revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'reader REVOKED' }).waitFor();
    expect((await call(`/v1/conversation/${acme.open}`, secret)).status).toBe(403);
    expect(await page.getByRole('button', { name: 'Revoke…' }).count()).toBe(0);
    await back(page);
    await row(page, 'reader').getByText('REVOKED').waitFor();
    expect(await row(page, 'reader').getByText('new', { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('copies the secret, and does not lose it to the Escape key', async () => {
    const { page } = await browser.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const secret = await create(page, 'mine', []);
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
    // Paper is not greyed.
    await page.emulateMedia({ media: 'print' });
    const behind = await page.getByRole('dialog').evaluate((each) => getComputedStyle(each, '::backdrop').display);
    expect(behind).toBe('none');
    await page.emulateMedia({ media: 'screen' });
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

    await act(page, 'mine', 'Regenerate');
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click();
    const second = await secretOn(page);
    await page.goto(`${url}/v1/health`);
    await page.goBack();
    await page.getByRole('heading', { name: 'mine' }).waitFor();
    expect(await page.content()).not.toContain(second);

    await page.getByRole('button', { name: 'Regenerate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click();
    const third = await secretOn(page);
    await page.evaluate(() => {
      location.hash = '#/requests';
    });
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'mine' }).waitFor();
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
    await act(page, 'mine', 'Regenerate');
    const confirm = page.getByRole('dialog', { name: 'Regenerate “mine”?' });
    expect((await call(`/v1/site/${acme.site}`, old)).status).toBe(200);
    await confirm.getByRole('button', { name: 'Regenerate' }).click();
    const fresh = await secretOn(page);
    await page.getByText(`${fresh.slice(0, 8)}…`, { exact: true }).waitFor();
    expect(await secretOn(page)).toBe(fresh);
    expect((await call(`/v1/site/${acme.site}`, old)).status).toBe(403);
    expect((await call(`/v1/site/${acme.site}`, fresh)).status).toBe(200);
  });

  it('edits scopes and limit of a key, and returns the focus', async () => {
    const { page, mock } = await browser.open();
    await act(page, 'none', 'Edit');
    const dialog = page.getByRole('dialog', { name: 'Edit “none”' });
    await dialog.getByRole('checkbox', { name: /^site:write/ }).check();
    expect(await dialog.getByLabel('Requests per second').getAttribute('placeholder')).toBe('10');
    expect(await dialog.getByLabel('Burst').getAttribute('placeholder')).toBe('20');
    await dialog.getByLabel('Requests per second').fill('2.5');
    await dialog.getByLabel('Burst').fill('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const key = mock.keys.find({ tenant: 'acme', name: 'none' });
    expect([key.scopes, key.rateLimit]).toEqual([['site:write'], { perSecond: 2.5, burst: 7 }]);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Edit…');
    await back(page);
    await row(page, 'none').getByText('2.5/s, 7 at once own').waitFor();
  });

  it('says why a key cannot be created, and keeps what was typed', async () => {
    const { page, mock } = await browser.open();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('full');
    await dialog.locator('label').getByRole('alert').getByText('There is a key “full” already.').waitFor();
    await dialog.getByRole('button', { name: 'Select all' }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('full');
    expect(await dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    expect(mock.keys.list('acme').filter(({ name }) => name === 'full')).toHaveLength(1);
    // A name that the page does not know of yet.
    mock.keys.create('acme', { name: 'taken', scopes: [] });
    await page.route('**/_mock/keys?*', () => {});
    await dialog.getByLabel('Name').fill('taken');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').getByText('already').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows keys on a narrower screen as cards that use the width', async () => {
    const { page } = await browser.open({ width: 950 });
    const card = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'full', exact: true }) });
    const [left, right] = await Promise.all([
      card.getByRole('cell').nth(0).boundingBox(),
      card.getByRole('cell').nth(1).boundingBox(),
    ]);
    expect([right?.y === left?.y, (right?.x ?? 0) > (left?.x ?? 0)]).toEqual([true, true]);
    await page.getByRole('link', { name: 'none', exact: true }).click();
    await page.getByText(/^Not granted 8$/).click();
    const unused = page.getByRole('row').filter({ hasText: 'user:read' });
    await unused.waitFor();
    // Nothing needs this scope, and an empty value has no name.
    expect(await unused.locator('[data-label="Operations"]').isVisible()).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });

  it('asks before it creates a key without scopes', async () => {
    const { page, mock } = await browser.open();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('forgotten');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').getByText('Is that what you want?').waitFor();
    expect(mock.keys.list('acme').some(({ name }) => name === 'forgotten')).toBe(false);
    await dialog.getByRole('button', { name: 'Select all' }).click();
    await dialog.getByRole('button', { name: 'Create key', exact: true }).click();
    // A name stands in quotes, so that it is told from the words around it.
    const made = page.getByRole('dialog', { name: 'Key “forgotten” created' });
    await made.getByRole('button', { name: 'Copy key' }).waitFor();
    expect(mock.keys.find({ tenant: 'acme', name: 'forgotten' }).scopes.length).toBe(8);
  });

  it('shows a new key on top and marks it', async () => {
    const { page } = await browser.open();
    await create(page, 'mine', ['site:read']);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.getByRole('rowheader').first().textContent()).toBe('mine new');
  });

  it('begins with the address and a command that works, until there is a request', async () => {
    const { page } = await browser.open();
    await page.getByRole('button', { name: 'Copy the base URL' }).waitFor();
    const command = page.getByRole('region', { name: 'the command' });
    const { stdout } = await promisify(execFile)('sh', ['-c', (await command.textContent()) ?? '']);
    expect(stdout).toMatch(/^HTTP\/1.1 200 /);
    await command.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('link', { name: 'GET listLabels' }).waitFor();
  });

  it('copies the documented secret of a fixture, and offers no secret of another key', async () => {
    const { page } = await browser.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await create(page, 'mine', ['site:read']);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Copy the secret of full' }).click();
    await row(page, 'full').getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(acme.full);
    expect(await page.getByRole('button', { name: 'Copy the secret of mine' }).count()).toBe(0);
  });

  it('opens a key by its name: its scopes, its limit, its requests', async () => {
    const { page, call } = await browser.open();
    await call('/v1/health', acme.none);
    await call(`/v1/site/${acme.site}`, acme.none);
    await page.getByRole('link', { name: 'none', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'none' }).waitFor();
    await page.getByText('This key has no scope').waitFor();
    await page.getByText(/^Not granted 8$/).click();
    await page.getByRole('row', { name: 'site:read Read sites.' }).waitFor();
    const command = String(await page.getByRole('region', { name: 'the code' }).textContent());
    expect((await promisify(execFile)('sh', ['-c', command])).stdout).toContain('"labels"');
    await page.getByRole('link', { name: 'requests', exact: true }).click();
    await page.getByText('3 shown').waitFor();
    await page.getByRole('row').filter({ hasText: 'getSite' }).getByText('key none lacks site:read').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Revoke…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'none REVOKED' }).waitFor();
    expect((await call('/v1/health', acme.none)).status).toBe(403);
    await page.getByRole('link', { name: 'still sends it' }).click();
    await page.getByRole('link', { name: 'GET getHealth' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('none');
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
  it('keeps the buttons of its dialog in sight on a low screen', async () => {
    const { page } = await browser.open();
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.getByRole('button', { name: 'Create key' }).click();
    const box = await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).boundingBox();
    expect((box?.y ?? 500) + (box?.height ?? 0)).toBeLessThan(500);
    expect(await page.getByRole('dialog').evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(
      true,
    );
  });

  it('fits its table on every screen when a key has a limit of its own and a long name', async () => {
    const { page, call, mock } = await browser.open();
    const name = 'a-rather-long-name-of-a-key-for-the-billing-worker';
    const { secret } = mock.keys.create('acme', {
      name,
      scopes: ['conversation:read', 'conversation:write', 'client:read'],
      rateLimit: { perSecond: 2.5, burst: 7 },
    });
    await call('/v1/health', secret);
    mock.clock.advance('59m');
    await row(page, name).getByText('59 min ago').waitFor();
    // Its scopes and its limit take no second line, and all of the scopes are told.
    await row(page, name)
      .getByTitle('conversation:read, conversation:write, client:read')
      .getByText('3 of 8')
      .waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    const limit = await row(page, name).getByText('own', { exact: true }).boundingBox();
    expect(limit?.y).toBeLessThan(((await row(page, name).boundingBox())?.y ?? 0) + 20);
    for (const width of [390, 900, 1024, 1100, 1200, 1280, 1366, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      // A table is as wide as its content, so the heading tells how much room there is.
      const table = await page.getByRole('table').evaluate((element) => {
        const [above, own] = [document.querySelector('.heading'), element].map((each) => each?.getBoundingClientRect());
        return (own?.right ?? 0) - (above?.right ?? 0);
      });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const nameBox = await page.getByRole('rowheader', { name }).boundingBox();
      expect([width, table > 0, wide > 0, (nameBox?.width ?? 0) >= 150]).toEqual([width, false, false, true]);
    }
  });
});
