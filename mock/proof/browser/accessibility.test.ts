import { afterEach, describe, expect, it } from 'vitest';
import { dialogFindings, viewFindings } from '../console-accessibility.ts';
import { chromium, consoleBrowser } from '../console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

// The other half of what `mock/console/accessibility.test.ts` tries: axe takes seconds a view.
describe.skipIf(chromium === null)('accessibility', () => {
  it('axe finds nothing on any view, dark and wide or light and narrow, and nothing is wider than the screen', async () => {
    const forms = [
      ['dark', 1440],
      ['light', 390],
    ] as const;
    expect(await viewFindings(browser, forms)).toEqual({});
  });

  it('axe finds nothing in any dialog, dark', async () => {
    expect(await dialogFindings(browser, 'dark')).toEqual({});
  });
});
