import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { acme } from '../../proof/acme.ts';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
beforeAll(browser.start, 30_000);
afterEach(browser.tidy);
afterAll(browser.close);

const json = { 'content-type': 'application/json' };

describe.skipIf(chromium === null)('data', { timeout: 30_000 }, () => {
  it('puts a private label on as the product would, and the API hides it', async () => {
    const { page, call, complaints } = await browser.open({ at: '#/data?tenant=acme' });
    const shown = async () => (await (await call(`/v1/conversation/${acme.closed}/context`)).json()).labels;
    const before = await shown();
    await page.getByRole('button', { name: 'Labels of Yearly furnace check' }).click();
    const dialog = page.getByRole('dialog', { name: 'Labels of Yearly furnace check' });
    await dialog.getByRole('checkbox', { name: 'internal-risk private' }).check();
    await dialog.getByText('(1 private hidden)').waitFor();
    expect(await shown()).toEqual(before);
    await dialog.getByRole('checkbox', { name: 'vip' }).check();
    await dialog.getByText('The API shows: maintenance-plan, vip').waitFor();
    expect(await shown()).toEqual([...before, 'vip']);
    await dialog.getByRole('checkbox', { name: 'vip' }).uncheck();
    await dialog.getByText('The API shows: maintenance-plan (').waitFor();
    expect(await shown()).toEqual(before);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Yearly furnace check' });
    await row.getByText('internal-risk private').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows sites, links, clients, labels, and files with their bytes', async () => {
    const { page, call } = await browser.open({ at: '#/data?tenant=acme' });
    const body = '{"contentType":"text/html"}';
    const started = await call(`/v1/site/${acme.site}/file/upload-url`, acme.full, {
      method: 'POST',
      headers: json,
      body,
    });
    const { uploadUrl, fileKey } = await started.json();
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'text/html' }, body: '<script>1</script>' });

    await page.getByRole('link', { name: /^Files/ }).click();
    await page.getByText('stored, not registered').waitFor();
    const arriving = page.waitForEvent('download');
    await page.getByRole('link', { name: `Download ${fileKey}` }).click();
    const download = await arriving;
    expect(await readFile(await download.path(), 'utf8')).toBe('<script>1</script>');

    await page.getByRole('link', { name: /^Labels/ }).click();
    await page.getByText('internal-risk private').waitFor();
    await page.getByRole('link', { name: /^Clients/ }).click();
    await page.getByText(acme.client).waitFor();
    await page.getByRole('link', { name: /^Sites/ }).click();
    await page.getByText(acme.legacySite, { exact: true }).waitFor();
    await page.getByRole('link', { name: /^Client-site links/ }).click();
    await page.getByText(acme.client).first().waitFor();
  });

  it('copies a tenant, reveals its keys once, and removes it', async () => {
    const { page, call, mock } = await browser.open({ at: '#/data?tenant=acme' });
    await page.getByRole('button', { name: 'Copy acme…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('worker-1');
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('dialog', { name: 'Tenant worker-1 is made' }).waitFor();
    const secret = String(await page.locator('[data-secret]').first().textContent());
    expect((await call('/v1/health', secret)).status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Remove worker-1…' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove acme…' }).waitFor();
    expect(mock.tenants.has('worker-1')).toBe(false);
    expect((await call('/v1/health', secret)).status).toBe(403);
  });

  it('takes a snapshot, resets, restores it, and says what is wrong with a bad one', async () => {
    const { page, mock } = await browser.open({ at: '#/data?tenant=acme' });
    const carried = () => mock.labelsOf('acme', { conversation: acme.closed }).map(({ name }) => name);
    mock.applyLabel('acme', { conversation: acme.closed }, acme.vip);
    const arriving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download snapshot' }).click();
    const download = await arriving;
    expect(download.suggestedFilename()).toBe('partnerkit-snapshot.json');
    const snapshot = await readFile(await download.path());

    await page.getByRole('button', { name: 'Reset acme…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('Tenant acme is as its seed has it.').waitFor();
    expect(carried()).not.toContain('vip');

    const restore = async (name: string, buffer: Buffer) => {
      await page.getByLabel('Snapshot to restore').setInputFiles({ name, mimeType: 'application/json', buffer });
      await page
        .getByRole('dialog', { name: `Restore ${name}?` })
        .getByRole('button', { name: 'Restore' })
        .click();
    };
    await restore('good.json', snapshot);
    await page.getByText('The mock is as good.json has it.').waitFor();
    expect(carried()).toContain('vip');

    await restore('bad.json', Buffer.from('{"version":7}'));
    await page.getByRole('dialog').getByRole('alert').getByText('body').waitFor();
    expect(carried()).toContain('vip');
  });
});
