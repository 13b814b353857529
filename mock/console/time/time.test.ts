import { afterEach, describe, expect, it } from 'vitest';
import { acme } from '../../proof/acme.ts';
import { chromium, consoleBrowser } from '../../proof/console-browser.ts';

const browser = consoleBrowser();
afterEach(browser.tidy);

const json = { 'content-type': 'application/json' };

describe.skipIf(chromium === null)('time and faults', () => {
  it('advances the clock past the expiry of an upload URL', async () => {
    const { page, call, complaints } = await browser.open({ at: '#/time' });
    const started = await call(`/v1/site/${acme.site}/file/upload-url`, acme.full, {
      method: 'POST',
      headers: json,
      body: '{"contentType":"text/plain"}',
    });
    const { uploadUrl } = await started.json();
    const put = () => fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x' });
    expect((await put()).status).toBe(200);
    await page.getByRole('button', { name: '+5m' }).click();
    await page.getByRole('link', { name: 'clock 5 min ahead' }).waitFor();
    const late = await put();
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining('expired')]);
    await page.getByRole('button', { name: 'Back to real time' }).click();
    await page.getByRole('link', { name: 'clock 5 min ahead' }).waitFor({ state: 'detached' });
    expect((await put()).status).toBe(200);
    expect(complaints).toEqual([]);
  });

  it('loses no click while the page still reads what the one before has changed', async () => {
    const { page, mock } = await browser.open({ at: '#/time' });
    await page.getByText(/Way of being wrong, of [1-9]/).waitFor();
    mock.clock.freeze();
    const start = mock.clock.now();
    await page.route('**/_mock/clock', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await route.continue();
    });
    for (const step of ['+1s', '+10s']) {
      // The page has the reply, and reads everything anew.
      const reading = page.waitForRequest('**/_mock/wrong/ways', { timeout: 20_000 });
      await page.getByRole('button', { name: step, exact: true }).click();
      await reading;
    }
    expect(mock.clock.now() - start).toBe(11_000);
  });

  it('freezes the clock at an instant, and refuses what is not a duration', async () => {
    const { page, mock } = await browser.open({ at: '#/time' });
    await page.getByLabel('Freeze at, in UTC').fill('2027-01-02T03:04:05');
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
    await page.getByText('2027-01-02 03:04:05 UTC').waitFor();
    expect([mock.clock.frozen, mock.clock.now()]).toEqual([true, Date.parse('2027-01-02T03:04:05Z')]);
    await page.getByLabel('Another duration').fill('soon');
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await page.getByRole('alert').getByText('not a duration: "soon"').waitFor();
    await page.getByLabel('Another duration').fill('90s');
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await page.getByText('2027-01-02 03:05:35 UTC').waitFor();
  });

  it('adds a fault, counts the requests it affected, and removes it', async () => {
    const { page, call, mock } = await browser.open({ at: '#/time' });
    await page.getByRole('button', { name: 'Add a fault' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a fault' });
    await dialog.getByLabel('Retry-After, in seconds').fill('7');
    await dialog.getByLabel(/^Operation/).selectOption('listLabels');
    await dialog.getByLabel('How many').fill('2');
    await dialog.getByRole('button', { name: 'Add' }).click();
    const row = page.getByRole('row').filter({ hasText: 'answers 503, Retry-After 7' });
    await row.waitFor();
    // On a telephone the warnings stand on the line of the title.
    mock.clock.advance('5m');
    await page.getByRole('link', { name: 'clock 5 min ahead' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect((await page.locator('header > .row').boundingBox())?.height).toBeLessThan(30);
    expect((await page.locator('header > .row').boundingBox())?.y).toBeLessThan(20);
    await page.setViewportSize({ width: 1440, height: 900 });
    const affected = await call('/v1/labels');
    expect([affected.status, affected.headers.get('retry-after')]).toEqual([503, '7']);
    await row.getByRole('cell', { name: 'after 1 more' }).waitFor();
    await page.getByRole('link', { name: '1 fault', exact: true }).waitFor();
    await row.getByRole('button', { name: 'Remove the fault' }).click();
    await page.getByText('No fault is active').waitFor();
    expect((await call('/v1/labels')).status).toBe(200);
  });

  it('edits and pauses a fault, and keeps what the form has no field for', async () => {
    const { page, call, mock } = await browser.open({ at: '#/time' });
    mock.faults.add({ method: 'GET', times: 5, reply: { status: 503, message: 'later' } });
    await page.getByRole('button', { name: 'Pause the fault' }).click();
    await page.getByRole('cell', { name: 'paused' }).waitFor();
    expect((await call('/v1/labels')).status).toBe(200);
    await page.getByRole('button', { name: 'Resume the fault' }).click();
    await page.getByRole('cell', { name: 'after 5 more' }).waitFor();
    expect((await call('/v1/labels')).status).toBe(503);
    await page.getByRole('button', { name: 'Edit the fault' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit a fault' });
    await dialog.getByRole('spinbutton', { name: 'Status' }).fill('502');
    await dialog.getByLabel(/^Operation/).selectOption('getHealth');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('rowheader', { name: 'answers 502' }).waitFor();
    expect([(await call('/v1/labels')).status, (await call('/v1/health')).status]).toEqual([200, 502]);
    const [fault] = mock.faults.list();
    expect(fault).toMatchObject({
      hits: 2,
      remaining: 3,
      spec: { method: 'GET', reply: { status: 502, message: 'later' } },
    });
  });

  it('adds a preset with one click, and says when its time is over', async () => {
    const { page, call, mock } = await browser.open({ at: '#/time' });
    await page.getByRole('button', { name: 'Next 3 requests get 429' }).click();
    await page.getByRole('rowheader', { name: 'answers 429' }).waitFor();
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await call('/v1/health')).status);
    expect(statuses).toEqual([429, 429, 429, 200]);
    await page.getByRole('button', { name: 'Storage is down for a minute' }).click();
    const row = page.getByRole('row').filter({ hasText: '/storage/*, for 1m' });
    await row.getByText(/^at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC (?:in 1 min|in \d+ s)$/).waitFor();
    mock.clock.advance('1m');
    await page.getByText(/^Ended 2$/).click();
    await row.getByText('over', { exact: true }).waitFor();
    // What is over can be had again, as often or as long as before.
    await row.getByRole('button', { name: 'Again' }).click();
    await row.getByText(/^at .+ UTC (?:in 1 min|in \d+ s)$/).waitFor();
    await page.getByRole('row').filter({ hasText: 'the next 3' }).getByRole('button', { name: 'Again' }).click();
    await page.getByRole('cell', { name: 'after 3 more' }).waitFor();
    expect((await call('/v1/health')).status).toBe(429);
    expect(mock.faults.list()).toHaveLength(2);
  });

  it('breaks one rule on purpose, says so everywhere, and keeps all again', async () => {
    const { page, mock, complaints } = await browser.open({ at: '#/time' });
    // On paper a form is nothing: neither is its heading.
    const printed = async () => {
      await page.emulateMedia({ media: 'print' });
      const isVisible = await page.getByRole('heading', { name: 'Wrong on purpose' }).isVisible();
      await page.emulateMedia({ media: 'screen' });
      return isVisible;
    };
    expect(await printed()).toBe(false);
    await page.getByLabel('Way of being wrong').fill('no-key-is-999');
    // An unknown word is said to be one, and is no error.
    await page.getByText('No ways match').waitFor();
    expect(await page.getByRole('alert').filter({ visible: true }).count()).toBe(0);
    await page.getByLabel('Way of being wrong').fill('label');
    // On a telephone the ways stay within their card.
    await page.setViewportSize({ width: 390, height: 844 });
    const rightOf = (place: string) =>
      page.locator(place).evaluateAll((all) => Math.max(...all.map((each) => each.getBoundingClientRect().right)));
    expect(await rightOf('.found li *')).toBeLessThan(await rightOf('.card:has(.found)'));
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel('Way of being wrong').fill('labels');
    // Those whose id begins so come first. Each is led by what it does, and what has no room is counted.
    const found = page.getByRole('listitem').filter({ has: page.getByRole('button') });
    const said = Number((await page.getByText(/^\d+ ways match$/).textContent())?.split(' ')[0]);
    const idsOf = () => found.locator('.under').allTextContents();
    const ids = await idsOf();
    expect([ids.length, said > 20, ids.every((id) => id.startsWith('labels/'))]).toEqual([8, true, true]);
    expect((await found.first().locator('strong').textContent()) ?? '').toBe('listLabels answers 501');
    const isCut = (each: Element) => each.scrollHeight > each.clientHeight + 1;
    expect(await page.locator('.found').evaluate(isCut)).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2_000);
    await page.getByRole('button', { name: `Show all ${said}` }).click();
    expect(await found.count()).toBe(said);
    await page.getByLabel('Way of being wrong').fill('ve');
    const mixed = (await idsOf()).map((id) => id.startsWith('ve'));
    expect(mixed.filter(Boolean)).toHaveLength(1);
    expect(mixed).toEqual(mixed.toSorted((a, b) => Number(b) - Number(a)));
    // The words may come in any order, and no signature of an upload URL is printed.
    const only = async (words: string) => {
      await page.getByLabel('Way of being wrong').fill(words);
      await page.getByText('1 way matches').waitFor();
      return found.locator('dl').textContent();
    };
    expect(await only('ignored  Expired')).toMatch(/A client seesPUT \/storage\/acme\/…\w{4} without a key: expected/);
    // What our own runs miss is not said to be seen.
    expect(await only('auth/narrow-key-expires')).toMatch(/^Breaks.*Our own runs miss itno run sends forty/);
    await page.getByLabel('Way of being wrong').fill('no-key-served listLabels');
    await page.getByText(/^GET \/v1\/labels .*: expected 403 \(key: none\), got 200$/).waitFor();
    expect(await printed()).toBe(true);
    await page.getByRole('button', { name: 'Break it auth/no-key-served-by-listLabels' }).click();
    await page.getByRole('link', { name: 'wrong on purpose' }).waitFor();
    expect(mock.wrong?.id).toBe('auth/no-key-served-by-listLabels');
    expect(await printed()).toBe(true);
    const origin = new URL(page.url()).origin;
    expect((await fetch(`${origin}/v1/labels`)).status).toBe(200);
    await page.goto(`${page.url().split('#')[0]}#/requests`);
    await page.getByRole('link', { name: 'GET listLabels' }).click();
    await page.getByText('Wrong on purpose: no key served by listLabels').first().waitFor();
    await page.getByRole('link', { name: 'wrong on purpose' }).click();
    await page.getByRole('button', { name: 'Keep all rules again' }).click();
    await page.getByRole('link', { name: 'wrong on purpose' }).waitFor({ state: 'detached' });
    expect((await fetch(`${origin}/v1/labels`)).status).toBe(403);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['delays the reply', 'delays the reply by 2s', { latency: '2s' }],
    ['closes the connection after the operation has run', 'closes the connection after', { drop: 'after' }],
    ['sends a body that is not JSON', 'sends a body that is not JSON', { damage: 'malformed' }],
  ])('adds a fault: %s', async (what, words, spec) => {
    const { page, mock } = await browser.open({ at: '#/time' });
    await page.getByRole('button', { name: 'Add a fault' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a fault' });
    await dialog.getByLabel('What happens').selectOption(what);
    await dialog.getByLabel('Tenant').selectOption('acme');
    await dialog.getByLabel('Percent of them').fill('25');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('rowheader', { name: words }).waitFor();
    expect(mock.faults.list()[0]?.spec).toEqual({ ...spec, tenant: 'acme', probability: 0.25 });
  });
});
