import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, sharedChromium } from '../../mock/proof/chromium.ts';
import { program } from '../release/program.ts';

const chromium = findChromium();
const run = promisify(execFile);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partnerkit-watch-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** `certify --watch`, what it tells its client, and what it has said so far. */
async function startWatch(...args: string[]) {
  const child = spawn(process.execPath, [program, 'certify', '--watch', '--port', '0', ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
  });
  started.push(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += text;
  });
  child.stderr.on('data', (text) => {
    said.err += text;
  });
  await expect.poll(() => said.err).toContain('Ctrl-C ends it and prints the verdict.');
  const told = Object.fromEntries(
    [...said.err.matchAll(/export (\w+)='(.*)'/g)].map(([, name, value]) => [name, value]),
  );
  return {
    said,
    url: told.PARTNER_URL ?? '',
    headers: { 'x-api-key': told.PARTNERKIT_KEY ?? '' },
    key: told.PARTNERKIT_KEY ?? '',
    async stop() {
      child.kill('SIGINT');
      const [code] = await once(child, 'close');
      return code;
    },
  };
}

describe('certify --watch', () => {
  it('reports each broken duty once while it runs, and ends with the verdict and the reports', async () => {
    const watch = await startWatch('--env', 'URL=PARTNER_URL', '--report', 'json=client.json');
    const { url, headers, key, said } = watch;
    await fetch(`${url}/v1/labels`, { headers });
    for (const _ of 'twice!') await fetch(`${url}/v1/labels`, { headers: { authorization: `Bearer ${key}` } });
    await expect.poll(() => said.err).toContain('fail client/key-in-header');
    expect(await watch.stop()).toBe(1);
    expect(said.err.match(/client\/key-in-header/g)).toHaveLength(1);
    expect(said.out).toContain('not certified: the client breaks');
    expect(said.out + said.err.replace(/export .*/g, '')).not.toContain(key);
    const report = JSON.parse(readFileSync(join(folder, 'client.json'), 'utf8'));
    expect(report).toMatchObject({ exitCode: 1, operations: { listLabels: 7 } });
  });

  it('starts over when the requests are cleared', async () => {
    const { url, headers, key, said, stop } = await startWatch('--env', 'URL=PARTNER_URL');
    const breakIt = () => fetch(`${url}/v1/labels?key=${key}`, { headers });
    const warnings = () => said.err.match(/fail client\/key-nowhere-else/g)?.length;
    await breakIt();
    await expect.poll(warnings).toBe(1);
    await fetch(/http\S+journal/.exec(said.err)?.[0] ?? '', { method: 'DELETE' });
    await breakIt();
    await expect.poll(warnings).toBe(2);
    await fetch(`${url}/_mock/journal`, { method: 'DELETE' });
    await fetch(`${url}/v1/labels`, { headers });
    expect(await stop()).toBe(0);
    expect(said.out).toContain('1 request in an unvaried run');
  });

  it('certifies a client that breaks no duty', async () => {
    const watch = await startWatch('--env', 'URL=PARTNER_URL');
    expect((await fetch(`${watch.url}/v1/labels`, { headers: watch.headers })).status).toBe(200);
    expect(await watch.stop()).toBe(0);
    // One request shows little, and no fault was tried.
    expect(watch.said.out).toMatch(
      /^certified in part: \d of \d+ expectations judged, all met; it covers listLabels; no fault or freedom tried$/m,
    );
  });

  it.skipIf(chromium === null)('shows the same in the console, live', async () => {
    const { url, headers, key } = await startWatch('--env', 'URL=PARTNER_URL');
    const page = await (await sharedChromium()).newPage();
    try {
      await page.goto(`${url}/_mock#/client`);
      await page.getByText('waiting for the first request').waitFor();
      const first = (await page.getByRole('region', { name: 'the command' }).textContent()) ?? '';
      const given = await page.getByRole('region', { name: 'For your client' }).locator('.code').first().textContent();
      expect(given).toContain(`export PARTNER_URL='${url}'\nexport PARTNERKIT_KEY='${key}'\n`);
      // Those that suffice come first, and the others are weaker.
      const colours = await page
        .getByRole('region', { name: 'the variables' })
        .locator('.line')
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).color));
      expect([colours[0] === colours[1], colours.indexOf(colours.at(-1) ?? ''), new Set(colours).size]).toEqual([
        true,
        2,
        2,
      ]);
      // On a telephone the name stays with its export, and a value that has no room beside it is in line with the others.
      await page.setViewportSize({ width: 390, height: 844 });
      const placesOf = (words: RegExp) =>
        page
          .locator('.line .word', { hasText: words })
          .evaluateAll((all) =>
            all.map((each) => [each.getBoundingClientRect().x, each.getBoundingClientRect().height]),
          );
      const [names, values] = [await placesOf(/^export \w+=$/), await placesOf(/^'ov/)];
      expect(names.length).toBeGreaterThan(8);
      expect(Math.max(...names.map(([, height = 0]) => height))).toBeLessThan(25);
      expect(new Set(values.map(([x]) => x)).size).toBe(1);
      await page.setViewportSize({ width: 1440, height: 900 });
      expect((await run('sh', ['-c', first])).stdout).toMatch(/^HTTP\/1.1 200/);
      await page.getByText(/^No documented duty broken so far: \d of \d+ judged\.$/).waitFor();
      await page.getByText('judging live').waitFor();
      await page.getByRole('heading', { name: 'Duties', exact: true }).waitFor();
      expect(await page.getByText('Certified', { exact: true }).count()).toBe(0);
      await fetch(`${url}/v1/labels?key=${key}`, { headers });
      await page.getByRole('region', { name: 'client/key-nowhere-else' }).waitFor();
      await page.getByText('Not certified', { exact: true }).waitFor();
      // Green is for what is well.
      expect(await page.locator('main .badge.good').count()).toBe(0);
      await page.getByText('1 of 2 times').waitFor();
      await page.getByText('x-api-key', { exact: true }).first().waitFor();
      // What shows it is folded, and is kept when the journal is cleared.
      const broken = page.getByRole('region', { name: 'client/key-nowhere-else' });
      expect(await broken.getByText('Reply', { exact: true }).isVisible()).toBe(false);
      await broken.locator('summary').first().click();
      await broken.getByText('Reply', { exact: true }).waitFor();
      await broken.getByRole('region', { name: 'the command' }).getByText('$PARTNERKIT_KEY').first().waitFor();
      await page.getByRole('heading', { name: 'Other duties' }).waitFor();
      // What the client did not do yet stands before what it will have to mind then.
      const upload = page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: /^It did not upload a file/ }) });
      await upload
        .first()
        .getByText(/^Check uploadUrlExpiresAt before the PUT/)
        .waitFor();
      await page.getByText(/^Kept \d+$/).click();
      await page.getByRole('row', { name: 'client/key-in-header' }).waitFor();
      expect(await page.textContent('main')).not.toContain(key);
      // What the client needs can still be had, and what is compared begins at one place.
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy the variables' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(given?.replace(/Copy.*$/, ''));
      await fetch(`${url}/v1/orders`, { headers });
      const finding = page.getByRole('region', { name: 'client/known-operations' });
      expect(await finding.locator('summary').first().textContent()).toMatch(
        /expected a path and method .*, got GET \/v1\/orders/,
      );
      // A bar says how much is judged, and the page starts over without a terminal.
      expect(await page.getByRole('progressbar', { name: 'Duties judged' }).getAttribute('value')).toMatch(/^\d+$/);
      const reference = await finding.getByRole('link', { name: '/_mock#/reference' }).getAttribute('href');
      expect(reference).toBe('#/reference');
      await page.emulateMedia({ media: 'print' });
      // A heading of what is folded stays with it, and no name is printed without its value.
      const kept = page.getByText(/^Not seen yet \d+$/);
      expect(await kept.evaluate((each) => getComputedStyle(each).breakAfter)).toBe('avoid');
      expect(await page.getByText('For your client').isVisible()).toBe(false);
      // A table that goes on overleaf leaves no open frame below its last row.
      expect(
        await page
          .locator('table')
          .first()
          .evaluate((each) => getComputedStyle(each).borderBottomWidth),
      ).toBe('0px');
      // A finding is on one page.
      expect(await finding.evaluate((each) => getComputedStyle(each).breakInside)).toBe('avoid');
      await page.emulateMedia({ media: 'screen' });
      // The finding leads to its request, and not to the one before it with the same path.
      await page.getByRole('link', { name: /^\d\d:\d\d:\d\d\.\d{3} GET \/v1\/labels$/ }).click();
      await page.getByRole('region', { name: 'Details of request 2' }).waitFor();
      await page.getByRole('link', { name: 'Client', exact: true }).click();
      await page.getByRole('button', { name: 'Start over' }).click();
      await page.getByText('waiting for the first request').waitFor();
      await fetch(`${url}/v1/labels`, { headers });
      await page.getByText(/^No documented duty broken so far/).waitFor();
    } finally {
      await page.close();
    }
  });
});
