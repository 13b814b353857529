import { describe, expect, it } from 'vitest';
import { findChromium, sharedChromium } from '../../../mock/proof/chromium.ts';
import { code } from '../../../spec/report-page/markup.ts';
import { sampleReport } from '../../proof/sample-report.ts';
import { htmlReport } from './html-report.ts';

describe.skipIf(findChromium() === null)('in a browser', async () => {
  const report = await sampleReport();
  const failed = report.rows.find(({ outcome, waived }) => outcome === 'fail' && !waived)?.id ?? '';
  const opened = async (width = 1200) => {
    const page = await (await sharedChromium()).newPage({ viewport: { width, height: 900 } });
    await page.setContent(htmlReport(report));
    return page;
  };

  it('a search that is cleared closes the sections that it opened', async () => {
    const page = await opened();
    const open = () => page.locator('details.section[open]').count();
    const before = await open();
    await page.getByRole('searchbox').fill('auth/');
    expect(await open()).toBeGreaterThan(before);
    const found = await page.locator('details.law:visible').count();
    expect(found).toBeLessThan(report.rows.length);
    // The heads of sections count what is shown.
    const heads = await page.locator('main > .section:visible > summary b').allTextContents();
    const numbers = heads.flatMap((words) => words.match(/\d+/g) ?? []).map(Number);
    expect(numbers.reduce((sum, one) => sum + one, 0)).toBe(found);
    await page.getByRole('searchbox').fill('');
    expect(await open()).toBe(before);
    await page.close();
  });

  it('JSON in evidence folds, and is copied with its indentation', async () => {
    const page = await opened();
    const writeText = 'async (text) => { window.copied = text }';
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: { writeText: ${writeText} } })`);
    const body = page.locator('.finding:not(.warn) details[open] .code:has(.tree)').last();
    const text = JSON.parse((await body.locator('.tree').textContent()) ?? '');
    await body.getByRole('button', { name: 'copy' }).click();
    expect(await page.evaluate('window.copied')).toBe(JSON.stringify(text, null, 2));
    const parts = body.locator('.json-parts').first();
    await body.locator('summary').first().click();
    expect(await parts.isVisible()).toBe(false);
    await page.close();
  });

  it('long code is reached by the keyboard, and nothing is wider than a telephone', async () => {
    const page = await opened(390);
    expect(await page.locator(':is(pre, .tree):not([tabindex="0"])').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.close();
  });

  it('the card of one rule says the rule, what was expected and what came, and each has its exchange open', async () => {
    const page = await opened();
    const card = page.locator('.finding:not(:has(ul.facts))').first();
    const texts = report.rows.filter(({ outcome }) => outcome === 'fail').map(({ rule }) => rule.text);
    expect(texts).toContain((await card.locator('h3').textContent())?.replace('fail ', ''));
    const colour = (place: string) =>
      card
        .locator(place)
        .first()
        .evaluate((each) => getComputedStyle(each).color);
    expect(await colour('.got b')).not.toBe(await colour('.got em'));
    expect(await card.locator('details.exchange[open] mark').first().isVisible()).toBe(true);
    const requests = page.locator('.finding > .code:has(+ .exchange) pre').first();
    expect(await requests.evaluate((each) => getComputedStyle(each).maxHeight)).toBe('none');
    const open = await page
      .locator('.finding:has(.exchange)')
      .evaluateAll((cards) => cards.map((each) => each.querySelectorAll('.exchange[open]').length));
    expect(open.length).toBeGreaterThan(1);
    expect(new Set(open)).toEqual(new Set([1]));
    await page.close();
  });

  it.each([1200, 390])('no copy button covers a line of its code, at %d', async (width) => {
    const page = await opened(width);
    for (const law of await page.locator('details').all()) await law.evaluate('element => { element.open = true }');
    const [covered, all] = await page.locator('.code').evaluateAll((codes) => {
      const parts = codes.map((code) => [...code.children].map((each) => each.getBoundingClientRect()));
      const covers = parts.filter(
        ([shown, button]) =>
          shown && button && button.bottom > shown.top && button.left < shown.right && button.height > 0,
      );
      return [covers.length, parts.filter(([, button]) => button && button.height > 0).length];
    });
    expect(covered).toBe(0);
    expect(all).toBeGreaterThan(3);
    await page.close();
  });

  it('a print has no empty page, whether the report is red or green', async () => {
    const rows = report.rows.map((row) => ({ ...row, outcome: 'pass' as const, breaches: [] }));
    for (const each of [report, { ...report, verdict: 'conformant' as const, rows }]) {
      const page = await (await sharedChromium()).newPage();
      // Without the foot of each page, which is text.
      const text = htmlReport(each).replace(/<meta http-equiv.*>/, '');
      await page.setContent(text.replaceAll(/@bottom-\w+ \{[^}]*\}/g, ''));
      const printed = async (pageRanges = '') => (await page.pdf({ format: 'A4', pageRanges })).toString('latin1');
      const pages = (await printed()).match(/\/Type\s*\/Page\b/g)?.length ?? 0;
      expect(pages).toBeGreaterThan(1);
      // Both say which rules were kept.
      await page.emulateMedia({ media: 'print' });
      const kept = page.locator('.law.pass').first();
      expect(await kept.locator('b').isVisible()).toBe(true);
      expect(await kept.locator('.soft').first().isVisible()).toBe(true);
      // Only text needs a font.
      for (let i = 1; i <= pages; i++) expect([i, (await printed(`${i}`)).includes('/Font')]).toEqual([i, true]);
      await page.close();
    }
  });

  it('a print cuts a long body and says so, and has no mark of what is closed', async () => {
    const page = await opened();
    await page.emulateMedia({ media: 'print' });
    const rows = { labels: Array.from({ length: 60 }, (_, i) => ({ id: i })) };
    await page
      .locator('.code')
      .first()
      .evaluate(
        (code, markup) => {
          code.outerHTML = markup;
        },
        code(JSON.stringify(rows)).markup,
      );
    const long = page.locator('.code.long').first();
    expect((await long.boundingBox())?.height).toBeLessThan(600);
    expect(await long.evaluate((element) => getComputedStyle(element, '::before').content)).toContain('The beginning');
    const marks = await page
      .locator('summary')
      .evaluateAll((all) => new Set(all.map((each) => getComputedStyle(each).listStyleType)).size);
    expect(marks).toBe(1);
    // Answers stand apart, and one that is as long as a line has its own.
    const gaps = page.locator('.answer:has(.answer)').first();
    expect(await gaps.evaluate((element) => getComputedStyle(element).columnGap)).toBe('22px');
    expect(
      await page
        .locator('summary')
        .first()
        .evaluate((each) => getComputedStyle(each).listStyleType),
    ).toBe('none');
    await page.close();
  });

  it('a print shows what failed, once, with its colours, and no buttons', async () => {
    const page = await opened();
    await page.emulateMedia({ media: 'print' });
    const law = page.locator(`details.law[id="${failed}"]`);
    expect(await law.getAttribute('open')).toBeNull();
    expect((await page.locator('.finding .got').first().boundingBox())?.height).toBeGreaterThan(0);
    expect(await law.locator('.got').first().isVisible()).toBe(false);
    expect(await page.locator('button:visible, input:visible').count()).toBe(0);
    // A card has no frame that the end of a page would leave open.
    const frame = (each: Element) => {
      const { borderLeftWidth, borderBottomWidth } = getComputedStyle(each);
      return [borderLeftWidth, borderBottomWidth];
    };
    expect(await page.locator('.finding').first().evaluate(frame)).toEqual(['0px', '0px']);
    // What is said of a failure stands with the command that shows it again.
    const next = await page
      .locator('.finding')
      .first()
      .locator('> p')
      .last()
      .evaluate((each) => getComputedStyle(each).breakAfter);
    expect(next).toBe('avoid');
    // Where paper has none of the evidence, the next card may be on another page.
    await page
      .locator('.finding')
      .first()
      .evaluate((each) => each.insertAdjacentHTML('beforeend', '<p id="last"><details class="screen"></details>'));
    expect(await page.locator('#last').evaluate((each) => getComputedStyle(each).breakAfter)).toBe('auto');
    expect(await page.locator('.finding.warn .exchange').first().isVisible()).toBe(false);
    const adjust = 'getComputedStyle(document.querySelector(".key")).printColorAdjust';
    expect(await page.evaluate(adjust)).toBe('exact');
    await page.close();
  });
});
