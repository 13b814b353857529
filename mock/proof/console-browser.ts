import type { Page } from 'playwright-core';
import { createMock, type Mock, type MockOptions } from '../index.ts';
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
      { at = '', scheme = 'light', width = 1440 }: View = {},
      options: MockOptions = {},
    ): Promise<OpenConsole> {
      const mock = await createMock(options);
      const { url } = await mock.listen({ port: 0 });
      // A colour half-way through a transition is none that anybody is meant to read.
      const settled = { reducedMotion: 'reduce', viewport: { width, height: 900 } } as const;
      const browser = await sharedChromium();
      const context = await browser.newContext({ colorScheme: scheme, ...settled });
      const page = await context.newPage();
      stop.push(
        () => context.close(),
        () => mock.close(),
      );
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
      // On a busy machine pages come late; no test is about that.
      page.setDefaultTimeout(120_000);
      const go = async (place: string) => {
        // Else another fragment would be no visit, only a move within the page.
        await page.goto('about:blank');
        await page.goto(`${url}/_mock${place}`);
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
