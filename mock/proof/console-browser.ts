import type { ConsoleMessage, Page, Request } from 'playwright-core';
import { createMock, type ListeningMock, type Mock, type MockOptions } from '../index.ts';
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

/**
 * A page that no test uses now, still on the console of the last one. On the same port the next console loads with half of the
 * processor time: its files and their compiled code are at hand.
 */
let free: { readonly page: Page; readonly port: number } | undefined;
/** No two visits have the same address: else another fragment would be no visit, only a move within the page. */
let visits = 0;

interface Place {
  readonly listening: ListeningMock;
  readonly page: Page;
}

async function newPlace(mock: Mock): Promise<Place> {
  const context = await (await sharedChromium()).newContext();
  return { listening: await mock.listen({ port: 0 }), page: await context.newPage() };
}

/** The free page with the mock on its port. */
async function placeFor(mock: Mock, alone: boolean): Promise<Place> {
  if (free === undefined || alone) return newPlace(mock);
  const { page, port } = free;
  free = undefined;
  try {
    return { listening: await mock.listen({ port }), page };
  } catch {
    // Somebody else has taken the port.
    await page.context().close();
    return newPlace(mock);
  }
}

/** As far as a page can be made new; its console neither runs nor remembers anything. Rejects where the test has closed it. */
async function putAside(page: Page, url: string): Promise<void> {
  if (!page.url().startsWith(`${url}/`)) throw new Error(`what ${url} stored cannot be cleared at ${page.url()}`);
  await page.unrouteAll();
  await page.context().clearPermissions();
  await page.evaluate(() => {
    // It would ask the closed mock each second, for as long as the worker lives.
    for (let timer = Number(setTimeout(() => {})); timer > 0; timer -= 1) clearTimeout(timer);
    Object.assign(window, { setTimeout: () => 0, setInterval: () => 0 });
    sessionStorage.clear();
    localStorage.clear();
  });
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
      const { listening, page } = await placeFor(mock, alone);
      const { url, port, server } = listening;
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
        // The console follows the journal: that reply has no end.
        server.closeAllConnections();
        await mock.close();
        const aside =
          !alone &&
          free === undefined &&
          (await putAside(page, url).then(
            () => true,
            () => false,
          ));
        if (aside) free = { page, port };
        else await page.context().close();
      });
      // On a busy machine pages come late; no test is about that.
      page.setDefaultTimeout(120_000);
      const go = async (place: string) => {
        visits += 1;
        await page.goto(`${url}/_mock?visit=${visits}${place}`);
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
