import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dialogFindings, viewFindings } from '../console-accessibility.ts';
import { chromium, consoleBrowser } from '../console-browser.ts';

const browser = consoleBrowser();
beforeAll(browser.start);
afterEach(browser.tidy);
afterAll(browser.close);

// The other half of what `mock/console/accessibility.test.ts` tries: axe takes seconds a view.
describe.skipIf(chromium === null)('accessibility', () => {
  it.each([
    ['dark', 1440],
    ['light', 390],
  ] as const)('axe finds nothing on any view, %s, %d px wide, and nothing sticks out', async (scheme, width) => {
    expect(await viewFindings(browser, scheme, width)).toEqual({});
  });

  it('axe finds nothing in any dialog, dark', async () => {
    expect(await dialogFindings(browser, 'dark')).toEqual({});
  });
});
