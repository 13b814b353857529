import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { html } from '../../spec/report-page/markup.ts';
import { page } from '../../spec/report-page/page.ts';
import { htmlReport } from './html/html-report.ts';
import { writeWhole } from './report-files.ts';
import type { Report } from './report-schema.ts';
import { badgeReport, type Summary, summaryOf } from './summary.ts';

/**
 * Adds a run to a folder of reports that a web server or GitHub Pages can show: its report, its summary and its badges, and an index of all
 * runs that the folder has.
 * @param implementation name and version of what was judged
 * @returns the files that were written
 * @throws the error of the file system
 */
export async function publishTo(folder: string, report: Report, implementation: string): Promise<readonly string[]> {
  const words = implementation.toLowerCase().match(/[a-z\d.]+/g) ?? [];
  const name = words.join('-').replaceAll(/^[-.]+|[-.]+$/g, '') || 'run';
  const own = join(folder, name);
  const at = report.startedAt.replaceAll(/[:.]/g, '-');
  await mkdir(own, { recursive: true });
  const summary = summaryOf(report, implementation);
  const files = [
    [join(own, `${at}.html`), htmlReport(report)],
    [join(own, `${at}.json`), `${JSON.stringify(summary, null, 2)}\n`],
    [join(own, 'badge.svg'), badgeReport(report, '.svg')],
    [join(own, 'badge.json'), badgeReport(report, '.json')],
  ] as const;
  for (const [path, text] of files) await writeWhole(path, text);
  const index = join(folder, 'index.html');
  await writeWhole(index, indexPage(await summariesIn(folder)));
  return [...files.map(([path]) => path), index];
}

/** The summaries of a folder, the newest first, each with its page, from the index. What is no summary is no run of ours. */
async function summariesIn(folder: string) {
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /^[^/\\]+[/\\][^/\\]+Z\.json$/.test(name),
  );
  const all = await Promise.all(
    names.map(async (name) => {
      const summary: Summary = JSON.parse(await readFile(join(folder, name), 'utf8'));
      const page = name.replaceAll('\\', '/').replace(/json$/, 'html');
      return summary.schemaVersion === 1 ? [{ ...summary, page }] : [];
    }),
  );
  return all.flat().sort((a, b) => (a.date < b.date ? 1 : -1));
}

/** One row a run. */
const indexPage = (runs: Awaited<ReturnType<typeof summariesIn>>): string =>
  page({
    title: 'Conformance reports',
    body: html`<h1>Conformance reports</h1>
<p class="soft">What was not judged is not counted as kept.</p>
<div class="card table"><table>
<thead><tr><th>Implementation</th><th>Verdict</th><th>Date</th><th class="number">Kept</th><th class="number">Broken</th><th class="number">Waived</th><th class="number">Not judged</th><th>Judged by</th></tr></thead>
<tbody>${runs.map(
      ({ implementation, date, verdict, kept, broken, waived, notJudged, kit, page }) =>
        html`<tr><td><a href="${page}">${implementation}</a></td><td><span class="badge ${verdict}">${verdict}</span></td><td class="date">${date.slice(0, 16).replace('T', ' ')} UTC</td>${[kept, broken, waived, notJudged].map(({ length }) => html`<td class="number">${length}</td>`)}<td>partnerkit ${kit}</td></tr>`,
    )}</tbody>
</table></div>`,
  });
