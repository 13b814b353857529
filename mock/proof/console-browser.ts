import type { ConsoleMessage, Page, Request } from 'playwright-core';
import { createMock, type Mock, type MockOptions } from '../index.ts';
import { acme } from './acme.ts';
import { findChromium, sharedChromium } from './chromium.ts';

export const chromium = findChromium();

interface View {
  /** For example `#/requests`. */
  readonly at?: string;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  /** In a context that no other test gets: for a test that leaves a script in the page. */
  readonly alone?: boolean;
}

/** A page that no test uses now. The next one in the same process loads its console in half of the time that a new page takes. */
let free: Page | undefined;

/** As far as a page can be made new. Rejects where it cannot. */
async function cleanPage(page: Page, url: string): Promise<void> {
  await page.unrouteAll();
  await page.context().clearPermissions();
  // Out of the console, but not out of its origin: else the page would get another process, which is what takes time.
  await page.goto(`${url}/_mock/tenants`);
  await page.evaluate(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
}

async function pageOf(alone: boolean): Promise<Page> {
  if (free !== undefined && !alone) {
    const page = free;
    free = undefined;
    return page;
  }
  const context = await (await sharedChromium()).newContext();
  return context.newPage();
}

/** A console in a real browser, with its own mock. */
export interface OpenConsole {
  readonly mock: Mock;
  readonly url: string;
  readonly page: Page;
  /** What the browser complained about: errors, and whatever the Content-Security-Policy forbade. */
  readonly complaints: readonly string[];
  /** A request as a partner sends it, from outside the browser. */
  call(path: string, key?: string, init?: RequestInit): Promise<Response>;
  go(at: string): Promise<void>;
}

/** For tests: a fresh mock and page for each test. */
export function consoleBrowser() {
  const stop: (() => unknown)[] = [];
  return {
    async open(
      { at = '', scheme = 'light', width = 1440, alone = false }: View = {},
      options: MockOptions = {},
    ): Promise<OpenConsole> {
      const mock = await createMock(options);
      const { url } = await mock.listen({ port: 0 });
      const page = await pageOf(alone);
      await page.setViewportSize({ width, height: 900 });
      // A colour half-way through a transition is none that anybody is meant to read.
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const complaints: string[] = [];
      const onError = (error: Error) => complaints.push(String(error));
      const onConsole = (message: ConsoleMessage) => {
        // Refusals that a test asks for are logged by the browser too.
        const text = message.text();
        if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text);
      };
      const onRequest = (request: Request) => {
        if (!request.url().startsWith(url) && !/^(data|blob|about):/.test(request.url()))
          complaints.push(request.url());
      };
      page.on('pageerror', onError).on('console', onConsole).on('request', onRequest);
      stop.push(async () => {
        page.off('pageerror', onError).off('console', onConsole).off('request', onRequest);
        const clean =
          !alone &&
          free === undefined &&
          (await cleanPage(page, url).then(
            () => true,
            () => false,
          ));
        if (clean) free = page;
        else await page.context().close();
        await mock.close();
      });
      // On a busy machine pages come late; no test is about that.
      page.setDefaultTimeout(120_000);
      let visits = 0;
      const go = async (place: string) => {
        // Else another fragment would be no visit, only a move within the page.
        await page.goto(`${url}/_mock${visits === 0 ? '' : `?visit=${visits}`}${place}`);
        visits += 1;
        await page.getByRole('heading', { level: 1 }).waitFor();
      };
      await go(at);
      const call: OpenConsole['call'] = (path, key = acme.full, init = {}) =>
        fetch(url + path, { ...init, headers: { ...(key !== '' && { 'x-api-key': key }), ...init.headers } });
      return { mock, url, page, complaints, call, go };
    },
    /** After each test. */
    async tidy() {
      for (const each of stop.splice(0)) await each();
    },
  };
}
