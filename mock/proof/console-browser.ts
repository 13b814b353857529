import { createMock, type MockOptions } from '../index.ts';
import { acme } from './acme.ts';
import { findChromium, sharedChromium } from './chromium.ts';

export const chromium = findChromium();

interface View {
  /** For example `#/requests`. */
  readonly at?: string;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
}

/** A console in a real browser, with its own mock. */
export type OpenConsole = Awaited<ReturnType<ReturnType<typeof consoleBrowser>['open']>>;

/** For tests: a fresh mock and page for each test. */
export function consoleBrowser() {
  const stop: (() => unknown)[] = [];
  let visits = 0;
  return {
    async open({ at = '', scheme = 'light', width = 1440 }: View = {}, options: MockOptions = {}) {
      const mock = await createMock(options);
      const { url, server } = await mock.listen({ port: 0 });
      const context = await (await sharedChromium()).newContext({
        viewport: { width, height: 900 },
        colorScheme: scheme,
        // A colour half-way through a transition is none that anybody is meant to read.
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      /** What the browser complained about: errors, and whatever the Content-Security-Policy forbade. */
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        // Refusals that a test asks for are logged by the browser too.
        const text = message.text();
        if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text);
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !/^(data|blob|about):/.test(request.url()))
          complaints.push(request.url());
      });
      stop.push(async () => {
        await context.close();
        // The console follows the journal: that reply has no end.
        server.closeAllConnections();
        await mock.close();
      });
      // On a busy machine pages come late; no test is about that.
      page.setDefaultTimeout(120_000);
      const go = async (place: string) => {
        // No two visits have the same address: else another fragment would be no visit, only a move within the page.
        await page.goto(`${url}/_mock?visit=${visits++}${place}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
      };
      await go(at);
      /** A request as a partner sends it, from outside the browser. */
      const call = (path: string, key: string = acme.full, init: RequestInit = {}) =>
        fetch(url + path, { ...init, headers: { ...(key !== '' && { 'x-api-key': key }), ...init.headers } });
      return { mock, url, page, complaints, call, go };
    },
    /** After each test. */
    async tidy() {
      for (const each of stop.splice(0)) await each();
    },
  };
}
