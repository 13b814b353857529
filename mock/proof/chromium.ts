import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usual = [
  // Chromium without its windows: a test takes half of the processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * For tests: where there is a Chromium to drive. `CHROMIUM_PATH` comes first (empty: there is none), then the usual places, then the one
 * that playwright may have downloaded.
 * @returns null with a warning if there is none, so that skipped tests are not taken for passed ones
 * @throws Error if there is none in CI (the variable `CI` is set), or if CHROMIUM_PATH does not exist
 */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH ${named}: there is no such file`);
  const found = (named === undefined ? [...usual, chromium.executablePath()] : [named]).find(existsSync);
  if (found !== undefined) return found;
  const remedy = 'no Chromium found; install it (apt-get install chromium-headless-shell) or set CHROMIUM_PATH';
  if (process.env.CI) throw new Error(`${remedy}: CI must not leave out the tests in a browser`);
  console.warn(`TESTS IN A BROWSER ARE LEFT OUT: ${remedy}`);
  return null;
}

let launched: Promise<Browser> | undefined;

/** For tests: a headless Chromium without other network traffic. A worker uses one for all its files and ends it at the end. */
export function sharedChromium(): Promise<Browser> {
  launched ??= chromium.launch({
    // Other tests of this process send it signals; Playwright would end it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    executablePath: findChromium() ?? '',
    args: [
      '--disable-gpu',
      '--disable-quic',
      // One process for all pages of a context: else each mock, at its port, gets a new one, which takes as long as loading the console.
      '--disable-site-isolation-trials',
      '--renderer-process-limit=1',
    ],
  });
  return launched;
}
