import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { findChromium, sharedChromium } from '../../../mock/proof/chromium.ts';
import { readYamlFile } from '../../../spec/files/read-file.ts';
import { hostileServer, reply } from '../../../spec/proof/hostile/hostile-server.ts';
import { mark, payloads } from '../../../spec/proof/hostile/payloads.ts';
import { saidBy } from '../../../spec/proof/processes.ts';
import { judge, memoryJournal, type Report } from '../../index.ts';
import { compareRuns, comparisonText } from '../../reports/compare.ts';
import { consoleReport } from '../../reports/console.ts';
import { formats } from '../../reports/report-files.ts';
import { reproductionText } from '../../reproduce/reproduce.ts';
import { gather } from '../../run/run.ts';
import { judgeHistory } from '../../verdict/judge.ts';
import { virtualMock } from '../trials/virtual-mock.ts';

const root = join(import.meta.dirname, '../../..');
const xsd = readFileSync(join(root, 'conformance/reports/junit.xsd'), 'utf8');

/** A reply in which every text is a payload. */
const bodyOf = (text: string) =>
  JSON.stringify({
    error: { code: text, message: text, [text]: text },
    message: text,
    id: text,
    name: text,
    fileKey: text,
    uploadUrl: `https://evil.example/${text}`,
    uploadUrlExpiresAt: text,
    labels: [{ id: text, name: text }, text],
  });

/** Wrong statuses make messages quote the replies. The first reply is correct, for the preflight. */
const statuses = [200, 403, 404, 201, 400, 500, 418];

let report: Report;
let evidence: readonly string[] = [];
let requests = 0;
beforeAll(async () => {
  const { environment, target } = await virtualMock({
    around:
      ({ handle }) =>
      async (request, trace) => {
        if (requests++ === 0) return handle(request, trace);
        const text = payloads[requests % payloads.length] ?? '';
        const headers = { 'content-type': `text/${text}`, 'retry-after': text, [`x-${mark}`]: text };
        return { status: statuses[requests % statuses.length] ?? 200, headers, body: bodyOf(text) };
      },
  });
  const history = await gather(target, { environment, journal: memoryJournal(), kit: 'test', preflight: false });
  report = judge(history);
  evidence = judgeHistory(history, {}).map(({ id, message }) =>
    reproductionText({ rule: id, outcome: 'unclear', message, exchanges: history.exchanges }, target),
  );
});

/** Sequences that a terminal or a CI log would interpret. */
function dangersIn(text: string): string[] {
  return [
    ...(text.match(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u2028]/gu) ?? []).map(
      (found) => `control ${escape(found)}`,
    ),
    ...(text.match(/^\s*::.*$/gm) ?? []),
    ...(text.match(/##\[.*$/gm) ?? []),
    ...(text.match(/^(?:conformant|non-conformant|incomplete): .*$/gm) ?? [])
      .slice(0, -1)
      .map((line) => `forged ${line}`),
  ];
}

it('no law throws an error, and the payloads reach the report', () => {
  expect(report.rows.filter(({ outcome }) => outcome === 'error').map(({ id, message }) => `${id} ${message}`)).toEqual(
    [],
  );
  expect(report.outcomes.fail).toBeGreaterThan(20);
  expect(report.rows.filter(({ message }) => message.includes(mark)).length).toBeGreaterThan(5);
});

it('no terminal and no CI runner obeys a reply', () => {
  expect(dangersIn(consoleReport(report))).toEqual([]);
  const other = { ...report, rows: report.rows.map((row) => ({ ...row, outcome: 'pass' as const })) };
  expect(dangersIn(comparisonText(compareRuns(other, report)))).toEqual([]);
  for (const text of evidence) expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
});

it('JUnit is well-formed XML in which a reply adds no element', () => {
  const document = XmlDocument.fromString(formats.junit(report));
  XsdValidator.fromDoc(XmlDocument.fromString(xsd)).validate(document);
  const failures = document.find('//failure').length;
  expect(failures).toBe(report.outcomes.fail);
});

it('JSON gives the same values when they are read again', () => {
  expect(JSON.parse(formats.json(report)).rows).toHaveLength(report.rows.length);
});

it('Markdown keeps its table, and shows replies as text', () => {
  const text = formats.markdown(report);
  const rows = text.split('\n').filter((line) => line.startsWith('| <code>'));
  expect(rows).toHaveLength(report.rows.length);
  expect(rows.filter((row) => row.split(/(?<!\\)\|/).length !== 11)).toEqual([]);
  const prose = text.replace(/^(`{3,})sh\n[\s\S]*?\n\1$/gm, '');
  expect(prose.match(/<(?!\/?code>|br>)[a-z/!]/gi)).toBeNull();
  expect(prose.match(/(?<!\\)!\[|(?<!\\)\]\(/g)).toBeNull();
});

describe.skipIf(findChromium() === null)('in a browser', () => {
  it('the HTML report shows every payload as text, runs nothing and loads nothing', async () => {
    const page = await (await sharedChromium()).newPage();
    const wrong: string[] = [];
    page.on('request', (request) => request.url().startsWith('http') && wrong.push(`loads ${request.url()}`));
    page.on('dialog', (dialog) => {
      wrong.push(`dialog ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    await page.setContent(formats.html(report));
    for (const each of await page.locator('details').all()) await each.evaluate('element => { element.open = true }');
    expect(await page.title()).not.toContain('broken');
    expect(wrong).toEqual([]);
    expect(await page.locator('details.law').count()).toBe(report.rows.length);
    const foreign =
      'main :is(script, img, svg[onload], iframe, link, meta, base, textarea, [onmouseover], [onerror], a[href^="javascript"])';
    expect(await page.locator(foreign).count()).toBe(0);
    const shown = await page.locator('main').textContent();
    expect(shown).toContain(`<script>document.title='broken ${mark}'</script>`);
    await page.close();
  });
});

it('the command prints nothing that a terminal or a CI runner would obey', async () => {
  await using server = await hostileServer((socket, { path }) => {
    const text = payloads[server.received.length % payloads.length] ?? '';
    const first = server.received.length === 1;
    socket.write(
      reply(first ? 200 : 400, first ? '{"labels":[]}' : bodyOf(text + path), `content-type: text/\u009b2J`),
    );
  });
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-hostile-'));
  try {
    const described = readYamlFile(join(root, 'fixtures/mock.target.yaml')) as object;
    writeFileSync(join(folder, 'target.json'), JSON.stringify({ ...described, baseUrl: server.url }));
    const files = `html=${folder}/r.html,junit=${folder}/r.xml,markdown=${folder}/r.md,json=${folder}/r.json`;
    const words = [
      'conformance',
      'run',
      '--target',
      `${folder}/target.json`,
      '--only',
      'context,errors/body',
      '--report',
      files,
    ];
    const child = spawn(process.execPath, [join(root, 'bin/partnerkit.ts'), ...words, '--timeout', '500ms'], {
      cwd: folder,
    });
    const { code, said } = await saidBy(child);
    expect(code).toBeGreaterThan(0);
    expect(said).toContain(mark);
    expect(dangersIn(said)).toEqual([]);
    XmlDocument.fromString(readFileSync(join(folder, 'r.xml'), 'utf8'));
    expect(readFileSync(join(folder, 'r.html'), 'utf8').match(/<script/g)).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
