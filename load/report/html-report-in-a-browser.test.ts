import { describe, expect, it } from 'vitest';
import { findChromium, sharedChromium } from '../../mock/proof/chromium.ts';
import { simulatedReport } from '../proof/simulated-raw.ts';
import { diffPage, htmlReport } from './html-report.ts';

describe.skipIf(findChromium() === null)('in a browser', () => {
  const opened = async (text: string, width = 1280) => {
    const page = await (await sharedChromium()).newPage({ viewport: { width, height: 900 } });
    await page.setContent(text);
    return page;
  };

  it('rate and burst are the largest figures, and what is wrong is red', async () => {
    const page = await opened(htmlReport(simulatedReport(12)));
    const figures = page.locator('.figures .big');
    expect(await figures.first().textContent()).toBe('12.0 rps');
    const look = (each: Element) => {
      const { fontSize, color } = getComputedStyle(each);
      return { size: Number.parseFloat(fontSize), color };
    };
    const [rate, burst, title] = await Promise.all(
      [figures.nth(0), figures.nth(1), page.locator('h1')].map((each) => each.evaluate(look)),
    );
    expect(rate?.size).toBeGreaterThan(title?.size ?? 100);
    expect(rate?.color).not.toBe(burst?.color);
    const over = page.locator('svg:visible polygon.over');
    expect(await over.evaluate((each) => getComputedStyle(each).fill)).toBe(rate?.color);
    await page.close();
  });

  it('numbers beside columns that are too high leave each other room', async () => {
    const page = await opened(htmlReport(simulatedReport(10, { scenario: 'measure' })), 390);
    const boxes = await Promise.all(
      (await page.locator('svg:visible text.above').all()).map((each) => each.boundingBox()),
    );
    expect(boxes.length).toBeGreaterThan(1);
    for (const [i, box] of boxes.entries()) {
      const before = boxes[i - 1];
      expect((before?.x ?? 0) + (before?.width ?? 0)).toBeLessThan(box?.x ?? 0);
    }
    await page.close();
  });

  it('the command that runs it again is copied', async () => {
    const page = await opened(htmlReport({ ...simulatedReport(12), again: 'npx partnerkit load judge raw.json' }));
    const button = page.getByRole('button', { name: 'copy' });
    await button.click();
    await page.getByRole('button', { name: /copied|selected/ }).waitFor();
    await page.close();
  });

  it('on paper both charts have their plots at one height', async () => {
    const page = await opened(htmlReport(simulatedReport(8)), 700);
    await page.emulateMedia({ media: 'print' });
    const [left, right] = await Promise.all(
      (await page.locator('.charts svg:visible').all()).map((each) => each.boundingBox()),
    );
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));
    expect(right).toMatchObject({ y: left?.y, height: left?.height });
    await page.close();
  });

  it.each([390, 1280])('fits a screen of %d, and two runs as well', async (width) => {
    for (const text of [
      htmlReport(simulatedReport(12)),
      diffPage(simulatedReport(10), simulatedReport(14), ['monday.json', 'today.json']),
    ]) {
      const page = await opened(text, width);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.locator('figure svg:visible').count()).toBe(await page.locator('figure').count());
      await page.close();
    }
  });
});
