import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { acme } from '../../proof/acme.ts';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

/** A PNG of 10 by 10 pixels. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';
const json = { 'content-type': 'application/json' };

describe.skipIf(chromium === null)('data', () => {
  it('puts a private label on a conversation, which the API hides', async () => {
    const { page, call, complaints } = await browser.open({ at: '#/data?tenant=acme' });
    const shown = async () => (await (await call(`/v1/conversation/${acme.closed}/context`)).json()).labels;
    const before = await shown();
    await page.getByRole('link', { name: 'Yearly furnace check' }).click();
    const labels = page.getByRole('region', { name: 'Labels' });
    await labels.getByRole('button', { name: 'internal-risk private' }).click();
    await labels.getByText('(1 private hidden)').waitFor();
    expect(await shown()).toEqual(before);
    await labels.getByRole('button', { name: 'vip' }).click();
    await labels.getByText('The API shows: maintenance-plan, vip').waitFor();
    expect(await shown()).toEqual([...before, 'vip']);
    await labels.getByRole('button', { name: 'vip' }).click();
    await labels.getByText('The API shows: maintenance-plan (').waitFor();
    expect(await shown()).toEqual(before);
    await page.getByRole('link', { name: 'Conversations', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'Yearly furnace check' });
    await row.getByText('internal-risk private').waitFor();
    expect(complaints).toEqual([]);
  });

  it('has a page for every record: the reply of the API, linked records, its requests', async () => {
    const { page, call, complaints } = await browser.open({ at: '#/data?tenant=acme' });
    await call(`/v1/conversation/${acme.open}`, acme.none);
    await page.getByRole('link', { name: 'Water heater leaking into the garage' }).click();
    const reply = JSON.parse(
      String(await page.getByRole('region', { name: 'What the API answers' }).locator('.code > section').textContent()),
    );
    expect(reply).toEqual(await (await call(`/v1/conversation/${acme.open}/context`)).json());
    await page.getByRole('link', { name: 'Its requests' }).click();
    const water = page.getByRole('row').filter({ hasText: 'Water heater' });
    await water
      .getByRole('link', { name: /^GET getConversation/ })
      .first()
      .waitFor();
    await page.goBack();
    const linked = page.getByRole('region', { name: 'Linked with' });
    await linked.getByRole('link').first().click();
    await page.locator('.id code', { hasText: acme.site }).waitFor();
    await page.getByText(`GET /v1/site/${acme.site}`, { exact: true }).waitFor();
    await linked.getByText('Clients', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('finds records by name or id', async () => {
    const { page } = await browser.open({ at: '#/data?tenant=acme' });
    await page.getByRole('searchbox').fill('FURNACE');
    await page.getByRole('link', { name: 'Wrong number' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('rowheader').count()).toBe(1);
    expect(page.url()).toContain('text=FURNACE');
    await page.getByRole('searchbox').fill('nowhere');
    await page.getByText('No record matches.').waitFor();
    await page.getByRole('link', { name: /^Labels/ }).click();
    await page.getByText('No record matches.').waitFor();
    await page.getByRole('searchbox').fill('GATE');
    await page.getByRole('rowheader', { name: 'gate code needed' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(1);
    // So are the records that carry a label.
    await page.getByRole('link', { name: /^Conversations/ }).click();
    await page.getByRole('cell', { name: 'gate code needed' }).waitFor();
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(1);
  });

  it('lists files by their sites, and finds them by name, id or site', async () => {
    const { page, call, go, mock } = await browser.open();
    const keys: string[] = [];
    for (const site of [acme.legacySite, acme.site, acme.legacySite]) {
      const init = { method: 'POST', headers: json, body: '{"contentType":"text/plain"}' };
      keys.push((await (await call(`/v1/site/${site}/file/upload-url`, acme.full, init)).json()).fileKey);
    }
    await go('#/data?tenant=acme&kind=files');
    const sites = page.getByRole('cell').filter({ has: page.getByRole('link') });
    await sites.nth(2).waitFor();
    await page.getByText('waiting for bytes').nth(2).waitFor();
    mock.clock.advance('5m');
    await page.getByText('nothing was stored').nth(2).waitFor();
    const [first, second, third] = await sites.allTextContents();
    expect([first === second, second === third].toSorted()).toEqual([false, true]);
    await page.getByRole('searchbox').fill(keys[1]?.toUpperCase() ?? '');
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    await page.getByRole('searchbox').fill('Alder');
    await sites.first().click();
  });

  it('puts labels on the link of a client to a site', async () => {
    const { page, mock } = await browser.open({ at: '#/data?tenant=acme&kind=links' });
    await page.getByRole('rowheader').getByRole('link').first().click();
    const labels = page.getByRole('region', { name: 'Labels' });
    await labels.getByRole('button', { name: 'spare', exact: true }).click();
    await labels.getByText(/The API shows: .*spare/).waitFor();
    const [client = '', site = ''] = await page.locator('.id code').allTextContents();
    expect(mock.labels.of('acme', { client, site }).map(({ name }) => name)).toContain('spare');
  });

  it('says that a record does not exist', async () => {
    const { page } = await browser.open({ at: '#/data?tenant=acme&record=site/nowhere' });
    await page.getByRole('alert').getByText('tenant acme has no site nowhere').waitFor();
  });

  it.each([
    ['a picture', 'image/png', Buffer.from(pixel, 'base64')],
    ['HTML as plain text', 'text/html', Buffer.from('<script>document.title="run"</script>')],
    ['no picture where the bytes are none', 'image/png', Buffer.from('no picture')],
  ])('previews %s', async (_, contentType, bytes) => {
    const { page, call, complaints, go } = await browser.open();
    const started = await call(`/v1/site/${acme.site}/file/upload-url`, acme.full, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ contentType }),
    });
    const { uploadUrl, fileKey } = await started.json();
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': contentType }, body: new Uint8Array(bytes) });
    await go(`#/data?tenant=acme&record=file/${fileKey}`);
    const content = page.getByRole('region', { name: 'Content' });
    if (bytes.toString() === 'no picture') {
      await content.getByText('The bytes are not a picture of the type image/png.').waitFor();
      expect(await content.locator('img').count()).toBe(0);
    } else if (contentType === 'image/png') {
      await page.waitForFunction(() => document.querySelector<HTMLImageElement>('img.preview')?.naturalWidth === 10);
      // What people ask of a file stands above it.
      expect(await page.locator('.facts dd').allTextContents()).toEqual(
        expect.arrayContaining(['stored, not registered', 'image/png', `${bytes.length} bytes`, 'never']),
      );
    } else {
      await content.getByText(bytes.toString()).waitFor();
    }
    expect(await page.title()).not.toContain('run');
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
    await page.getByRole('link', { name: /^Upload/ }).click();
    const arriving = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${fileKey}` }).click();
    const download = await arriving;
    expect(await readFile(await download.path(), 'utf8')).toBe('<script>1</script>');
    await page.getByRole('region', { name: 'Linked with' }).getByRole('link').click();
    await page
      .getByRole('region', { name: 'Linked with' })
      .getByRole('link', { name: /^Upload/ })
      .waitFor();
    await page.goBack();
    await page.goBack();

    await page.getByRole('link', { name: /^Labels/ }).click();
    await page.getByRole('rowheader', { name: 'internal-risk private' }).waitFor();
    await page.getByRole('link', { name: /^Clients/ }).click();
    await page.locator('.id code', { hasText: acme.client }).waitFor();
    await page.getByRole('link', { name: /^Sites/ }).click();
    await page.locator('.id code', { hasText: acme.legacySite }).waitFor();
    await page.getByRole('link', { name: /^Client-site links/ }).click();
    await page.locator('.id code', { hasText: acme.client }).first().waitFor();
  });

  it('copies a tenant, reveals its keys once, and removes it', async () => {
    const { page, call, mock } = await browser.open({ at: '#/data?tenant=acme' });
    await page.getByRole('button', { name: 'Copy acme…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('worker-1');
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('dialog', { name: 'Tenant worker-1 created' }).waitFor();
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
    const carried = () => mock.labels.of('acme', { conversation: acme.closed }).map(({ name }) => name);
    mock.labels.apply('acme', { conversation: acme.closed }, acme.vip);
    const arriving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download snapshot' }).click();
    const download = await arriving;
    expect(download.suggestedFilename()).toBe('partnerkit-snapshot.json');
    const snapshot = await readFile(await download.path());

    await page.getByRole('button', { name: 'Reset acme…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('Tenant acme was reset to its seed.').waitFor();
    expect(carried()).not.toContain('vip');

    const restore = async (name: string, buffer: Buffer) => {
      const dialog = page.getByRole('dialog', { name: 'Restore a snapshot' });
      await page.getByRole('button', { name: 'Restore a snapshot…' }).click();
      await dialog.getByLabel('Snapshot').setInputFiles({ name, mimeType: 'application/json', buffer });
      await dialog.getByRole('button', { name: 'Restore' }).click();
    };
    await restore('good.json', snapshot);
    await page.getByText('Restored good.json.').waitFor();
    expect(carried()).toContain('vip');

    await restore('bad.json', Buffer.from('{"version":7}'));
    await page.getByRole('dialog').getByRole('alert').getByText('body').waitFor();
    expect(carried()).toContain('vip');
  });
});
