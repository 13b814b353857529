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
    await page.getByRole('heading', { name: 'Faults', exact: true }).waitFor();
    mock.clock.freeze();
    const start = mock.clock.now();
    await page.route('**/_mock/clock', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await route.continue();
    });
    for (const step of ['+1s', '+10s']) {
      // The page has the reply, and reads everything anew.
      const reading = page.waitForRequest('**/_mock/health', { timeout: 20_000 });
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
    // The count leads to the requests.
    await call('/v1/health');
    await row.getByRole('cell', { name: '1', exact: true }).getByRole('link').click();
    await page.getByText('1 of 2 shown').waitFor();
    await page.getByRole('link', { name: '1 fault', exact: true }).click();
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
    // All of them at once only after a question.
    await page.getByRole('button', { name: 'Remove all…' }).click();
    expect(mock.faults.list()).toHaveLength(2);
    await page.getByRole('dialog', { name: 'Remove all?' }).getByRole('button', { name: 'Remove all' }).click();
    await expect.poll(() => mock.faults.list()).toEqual([]);
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
