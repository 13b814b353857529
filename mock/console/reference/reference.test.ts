import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { operationList } from '../../../spec/operations.ts';
import { acme } from '../../proof/acme.ts';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

describe.skipIf(chromium === null)('the API reference', () => {
  it('has every operation, and its prefilled form succeeds', async () => {
    const { page, mock, call, complaints } = await browser.open({ at: '#/reference' }, { rateLimit: false });
    // A registration names an upload that waits for it.
    const { secret } = mock.keys.create('acme', { name: 'other', scopes: ['siteFile:write'] });
    const started = await call(`/v1/site/${acme.site}/file/upload-url`, secret, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"contentType":"text/plain"}',
    });
    const { uploadUrl } = await started.json();
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'bytes' });
    for (const { id, success, path, summary } of operationList) {
      // Like a link, so that the page is loaded only once.
      await page.evaluate((at) => location.assign(at), `#/reference?operation=${id}&tenant=acme`);
      await page.getByRole('heading', { name: summary, exact: true }).waitFor();
      await page.locator('article').getByText(path, { exact: true }).waitFor();
      await page.getByRole('option', { name: 'full', exact: true }).waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.answer').getByText(String(success), { exact: true }).waitFor();
    }
    expect(mock.journal.list({ key: 'full', status: '2xx' })).toHaveLength(operationList.length);
    // The page itself has stored nothing, and its example of an upload is registered now. What comes first is a link.
    expect(mock.files.list().filter(({ state }) => state !== 'started')).toMatchObject([{ state: 'registered' }]);
    await page.evaluate(() => location.assign('#/reference?operation=registerSiteFile'));
    await page.getByRole('article').getByRole('link', { name: 'startSiteFileUpload' }).click();
    await page.getByRole('heading', { name: 'Start the upload of a site file' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('follows a link that is clicked while the tenants are loaded', async () => {
    const { page, go } = await browser.open();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/_mock/tenants', async (route) => {
      await held;
      await route.continue();
    });
    // As on a busy machine: the browser tells of the new address after all else.
    await page.addInitScript("addEventListener('hashchange', (event) => event.stopImmediatePropagation())");
    await go('#/reference');
    await page.evaluate(() => location.assign('#/reference?operation=listLabels'));
    answer();
    await page.waitForURL(/operation=listLabels&tenant=acme/);
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });

  it('shows the form only when the ids of the tenant are loaded', async () => {
    const { page, go } = await browser.open();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/_mock/openapi.json?tenant=acme', async (route) => {
      await held;
      await route.continue();
    });
    await go('#/reference?operation=applySiteLabel&tenant=acme');
    await page.getByRole('region', { name: 'Try it' }).getByText('Loading…').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    answer();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.answer').getByText('200', { exact: true }).waitFor();
  });

  it('follows the profile of the mock', async () => {
    const profile = {
      operations: { getSite: { path: '/v1/the-site/{id}', method: 'POST' }, getHealth: null },
    } as const;
    const { page, mock } = await browser.open({ at: '#/reference?operation=getSite&tenant=acme' }, { profile });
    await page.getByText('/v1/the-site/{id}', { exact: true }).waitFor();
    await page.getByRole('option', { name: 'full', exact: true }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.answer').getByText('200', { exact: true }).waitFor();
    expect(mock.journal.list({ operationId: 'getSite', status: '2xx' })).toHaveLength(1);
    expect(await page.getByRole('navigation', { name: 'Operations' }).getByTitle('getHealth').count()).toBe(0);
  });

  it('opens with the operations of each area, and shows each as a command that works', async () => {
    const { page } = await browser.open({ at: '#/reference' });
    const link = page.getByRole('link', { name: /^PUT .*\/v1\/site\/{id}\/label\/{labelId} / });
    await link.waitFor();
    // The list of operations is not there twice. It is by resource, as a partner meets them, and each scope says what it permits.
    const list = page.getByRole('navigation', { name: 'Operations' });
    expect(await list.getByRole('heading').allTextContents()).toEqual([
      'Conversations',
      'Sites',
      'Clients',
      'Labels',
      'Files',
      'Service',
    ]);
    const scopes = list.getByRole('link', { name: '/v1/client/{id} ' }).first().locator('code');
    expect(await scopes.last().getAttribute('title')).toBe('Read clients.');
    // Where any key will do stands like a scope.
    expect(await list.locator('code', { hasText: /^any key$/ }).count()).toBe(2);
    await link.click();
    await page.getByRole('heading', { name: 'Apply a label to a site' }).waitFor();
    const command = String(await page.getByRole('region', { name: 'the code' }).textContent());
    expect((await promisify(execFile)('sh', ['-c', command])).stdout).toContain('"labels"');
  });

  it('shows the request as code in the last chosen language, and an example of the reply', async () => {
    const { page } = await browser.open({ at: '#/reference?operation=getSite&tenant=acme' });
    const code = page.getByRole('region', { name: 'the code' });
    await page.getByLabel('Language').selectOption('pytest');
    await page.getByText('import requests').waitFor();
    expect(await code.textContent()).toContain(acme.full);
    await page.getByRole('navigation', { name: 'Operations' }).getByTitle('applySiteLabel').click();
    await code.getByText('"PUT"').waitFor();
    expect(JSON.parse(String(await page.locator('.example .code > section').textContent()))).toHaveProperty('siteId');
    await page.getByLabel('Key').selectOption('');
    await page.getByLabel('Secret').fill('pasted-secret');
    await page.getByText('os.environ["KEY"]').waitFor();
    expect(await code.textContent()).not.toContain('pasted-secret');
  });

  it('shows the provenance of every part', async () => {
    const { page } = await browser.open({ at: '#/reference?operation=applySiteLabel' });
    const sure = page.locator('.provenances');
    await sure.waitFor();
    expect(await sure.textContent()).toBe('documented method and body assumed path and scopes ');
    expect(await page.getByText(/public labels of (one|the) site/).count()).toBe(1);
    await page.getByText('labelId', { exact: true }).first().waitFor();
    await page.getByRole('navigation', { name: 'Operations' }).getByTitle('getConversationContext').click();
    await page.getByRole('heading', { name: 'Get the context' }).waitFor();
    // All parts are equal.
    expect(await sure.textContent()).toBe('documented method, path, scopes and body ');
    // So is every reply.
    const replies = page.locator('article > details > summary');
    expect(await replies.locator('.badge').allTextContents()).toContain('documented');
    expect(await replies.locator('.badge').count()).toBe(await replies.count());
    // Within one a part is marked where it comes from elsewhere than what it is a part of: no attachment of a message is.
    const marked = page.locator('.schema .badge').filter({ visible: true });
    expect(await marked.allTextContents()).toEqual(['documented', 'documented', 'documented']);
    expect(await page.title()).toBe('getConversationContext · partnerkit console');
  });

  it('writes a long address in the line of its place, and prints the operation without the list', async () => {
    const { page } = await browser.open({ at: '#/reference?operation=applySiteLabel&tenant=acme', width: 390 });
    const code = page.getByRole('region', { name: 'the code' });
    await code.waitFor();
    // Each line begins with a space, as it is written, or with a part of the address or the key, and never within one.
    const begins = await code.evaluate((element) => {
      const found: string[] = [];
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let [line, before] = [0, ''];
      for (let text = texts.nextNode() as Text | null; text !== null; text = texts.nextNode() as Text | null) {
        for (let at = 0; at < text.length; at++) {
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          const { top, width } = range.getBoundingClientRect();
          if (width > 0 && top > line + 5) {
            found.push(`${before}|${text.data[at]}`);
            line = top;
          }
          before = text.data[at] ?? '';
        }
      }
      return found;
    });
    expect(begins.length).toBeGreaterThan(4);
    expect(begins.filter((each) => !/^(?:|\n|[-/ ])\|/.test(each))).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Operations' }).isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'Apply a label to a site' }).isVisible()).toBe(true);
    expect(await page.getByLabel('Key').isVisible()).toBe(false);
    expect(await code.isVisible()).toBe(true);
  });

  it('sends another key, a pasted one or none, and other values', async () => {
    const { page } = await browser.open({ at: '#/reference?operation=getSite&tenant=acme' });
    const answer = page.locator('.answer');
    const send = page.getByRole('button', { name: 'Send' });
    await page.getByLabel('Key').selectOption('none');
    await send.click();
    await answer.getByText('Operation not allowed').waitFor();
    await answer.getByText('403: key none lacks site:read').waitFor();
    await answer.getByText('scopes/missing-scope-is-403').waitFor();
    await answer.getByText(/^[\d.]+ m?s$/).waitFor();
    await answer.getByText(/^Headers \d+$/).click();
    await answer.getByText('content-type').waitFor();
    await page.getByLabel('Key').selectOption('');
    await send.click();
    await answer.getByText('403: No API key').waitFor();
    await page.getByLabel('Secret').fill(acme.full);
    await page.getByLabel('Id of the site').fill('no/such site');
    await send.click();
    await answer.getByText('"NOT_FOUND"').waitFor();
    await page.getByRole('region', { name: 'the code' }).getByText('/v1/site/no%2Fsuch%20site').waitFor();
  });

  it('uploads a file to the URL that was answered, and registers it', async () => {
    const { page, mock, complaints } = await browser.open({
      at: '#/reference?operation=registerSiteFile&tenant=acme',
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.answer').getByText('404', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'startSiteFileUpload' }).click();
    await page.getByText('1. Ask for an upload URL').waitFor();
    const body = page.getByRole('textbox', { name: 'Body' });
    const [name, mimeType, buffer] = ['roof.png', 'image/png', Buffer.from('bytes')];
    const upload = page.getByRole('region', { name: 'Upload', exact: true });
    // What comes next is said at once, and below an answer a file can still be chosen. It is sent as the URL was asked for.
    await page.getByText(`--data-raw '{"contentType":"image/jpeg"}'`).waitFor();
    expect(await upload.textContent()).toBe('2. Upload it to this URL3. Register it at its site');
    expect(await upload.getByRole('link').count()).toBe(0);
    await page.getByRole('button', { name: 'Send' }).click();
    const put = upload.getByRole('button', { name: 'PUT the file' });
    await upload.getByText('Choose a file above first.').waitFor();
    expect(await put.count()).toBe(0);
    await page.getByLabel(/^File to upload/).setInputFiles({ name, mimeType, buffer });
    await upload.getByText('roof.png, sent as image/jpeg').waitFor();
    await put.click();
    await upload.locator('.answer').getByText('200', { exact: true }).waitFor();
    expect(JSON.parse(await body.inputValue())).toEqual({ contentType: 'image/png' });
    await page.getByRole('button', { name: 'Send' }).click();
    await upload.getByText('roof.png, sent as image/png').waitFor();
    await put.click();
    await upload.locator('.answer').getByText('200', { exact: true }).waitFor();
    await upload.getByRole('link', { name: 'Register it at its site' }).click();
    // The form names the upload that waits, also where the page was seen before there was one.
    await page.getByRole('heading', { name: 'Register an uploaded site file' }).waitFor();
    expect(JSON.parse(await body.inputValue())).toMatchObject({ name });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.answer').getByText('201', { exact: true }).waitFor();
    await page.locator('.answer').getByText('"roof.png"').waitFor();
    expect(mock.files.list().findLast(({ size }) => size === 5)).toMatchObject({ state: 'registered', name });
    expect(complaints).toEqual([]);
  });

  it('opens each operation at its top, with the list of operations in sight', async () => {
    const { page } = await browser.open({ at: '#/reference?operation=getSite&tenant=acme' });
    const list = page.getByRole('navigation', { name: 'Operations' });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.answer').waitFor();
    await page.evaluate(() => scrollTo(0, 600));
    await page.waitForFunction(() => scrollY > 300);
    const link = list.getByTitle('applySiteLabel');
    expect((await link.boundingBox())?.y).toBeGreaterThan(0);
    await link.click();
    await page.getByRole('heading', { name: 'Apply a label to a site' }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 400 });
    await page.evaluate(() => location.assign('#/reference?operation=getClient&tenant=acme'));
    await page.getByRole('heading', { name: 'Get a client' }).waitFor();
    const current = await list.locator('[aria-current]').boundingBox();
    expect((current?.y ?? 400) + (current?.height ?? 0)).toBeLessThan(400);
  });

  it('says why no reply arrived, and leads to the fault that kept it', async () => {
    const { page, mock } = await browser.open({ at: '#/reference?operation=getSite&tenant=acme' });
    for (const fault of [{ drop: 'before' }, { damage: 'truncated' }] as const) {
      const { id } = mock.faults.add({ ...fault, times: 1 });
      await page.getByRole('button', { name: 'Send' }).click();
      await page
        .locator('.answer')
        .getByRole('link', { name: `Go to ${id}` })
        .waitFor();
    }
    await page.locator('.answer').getByRole('link', { name: 'Go to fault-2' }).click();
    await page
      .locator('[data-state="marked"]')
      .getByRole('rowheader', { name: 'cuts the reply off half-way' })
      .waitFor();
    mock.faults.clear();
    await page.getByText('fault-2 was removed.').waitFor();
  });

  it('shows the reply on a telephone as soon as it is there', async () => {
    const { page } = await browser.open({ at: '#/reference?operation=applySiteLabel&tenant=acme', width: 390 });
    await page.getByRole('button', { name: 'Send' }).click();
    const answer = page.locator('.answer');
    await answer.waitFor();
    const box = await answer.getByText('200', { exact: true }).boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(900);
  });

  it('tells the name of the record that an id names', async () => {
    const { page } = await browser.open({ at: '#/reference?operation=applyConversationLabel&tenant=acme' });
    const field = page.getByLabel('Id of the label');
    await page.getByText('Id of the label: second spare').waitFor();
    await field.fill(acme.gateCode);
    await page.getByText('Id of the label: gate code needed').waitFor();
    const replies = await page.locator('article summary strong').allTextContents();
    expect(replies).toEqual(replies.toSorted());
  });

  it('offers no secret of a key that was created in the portal', async () => {
    const { page, mock, go } = await browser.open();
    const { secret } = mock.keys.create('acme', { name: 'mine', scopes: [] });
    await go('#/reference?operation=listLabels&tenant=acme');
    await page.getByRole('option', { name: 'full', exact: true }).waitFor({ state: 'attached' });
    expect(await page.getByRole('option', { name: 'mine' }).count()).toBe(0);
    expect(await page.content()).not.toContain(secret);
  });
});
