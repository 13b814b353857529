import { objectIn } from '../conformance/history/exchange.ts';
import { operationIds } from '../spec/operations.ts';
import { badgeFile } from '../spec/report-page/badge.ts';
import { code, copyScript, html } from '../spec/report-page/markup.ts';
import { page } from '../spec/report-page/page.ts';
import { terminalLine } from '../spec/text/terminal-text.ts';
import type { FidelityReport } from './fidelity.ts';

type Way = FidelityReport['ways'][number];
type Side = Way['exchanges'][number]['mock'];

const number = (value: number) => value.toLocaleString('en-US');
const counted = (count: number, one: string, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** 98.6%; 100% only where all are. */
const share = ({ alike, compared }: FidelityReport) =>
  compared === 0 ? 'nothing compared' : `${Math.floor((alike / compared) * 1000) / 10}%`;

/** Every operation, with its figures where the recording has it. */
const byOperation = ({ operations }: FidelityReport) =>
  operationIds.map((id) => [id, operations.find((one) => one.id === id)] as const);
const notRecorded = 'not in the recording';

/** `2,441 of 2,475 replies alike (98.6%), 14 of 14 operations; 34 differ in 3 ways` */
function headline(report: FidelityReport): string {
  const { alike, compared, ways } = report;
  const asked = byOperation(report).filter(([, figures]) => figures);
  const rest = alike === compared ? '' : `; ${number(compared - alike)} differ in ${counted(ways.length, 'way')}`;
  return `${number(alike)} of ${counted(compared, 'reply', 'replies')} alike (${share(report)}), ${asked.length} of ${operationIds.length} operations${rest}`;
}

const titleOf = ({ subject, difference, replies }: Way, i: number) =>
  `${i + 1}. ${subject}: ${terminalLine(difference)}; ${counted(replies, 'reply', 'replies')}`;

/** What the figure is not about. */
const notCompared = 'Not compared, because the mock cannot know';
const unknownIn = ({ unknown }: FidelityReport) =>
  unknown.map(({ what, replies }) => `${what} (${counted(replies, 'reply', 'replies')})`);

/** What a side shows at the place that differs. */
function shownAt(at: string, { status, headers, body }: Side): string {
  const [, top] = /^body\.([^.[{]+)/.exec(at) ?? [];
  const name = at.replace(/^header /, '');
  const inBody = top === undefined ? undefined : (JSON.stringify(objectIn({ body })[top]) ?? 'nothing');
  const shown = name !== at ? `${name}: ${headers[name] ?? 'nothing'}` : inBody ? `${top}: ${inBody}` : body;
  return terminalLine(`${status} ${shown}`).slice(0, 150);
}

function textReport(report: FidelityReport): string {
  const { ways, learned, compared, unknown } = report;
  const widest = Math.max(...operationIds.map((id) => id.length));
  const lines = [
    headline(report),
    ...byOperation(report).map(
      ([id, one]) => `  ${id.padEnd(widest)}  ${one ? `${number(one.alike)} of ${number(one.compared)}` : notRecorded}`,
    ),
    ...ways.flatMap((way, i) => [
      '',
      titleOf(way, i),
      ...way.exchanges.flatMap(({ n, request, recorded, mock }) => [
        `   #${n} ${terminalLine(request).slice(0, 150)}`,
        `     recorded ${shownAt(way.at, recorded)}`,
        `     mock     ${shownAt(way.at, mock)}`,
      ]),
      ...(way.profile === null
        ? [`   No profile can say this: ${way.why}`]
        : ['   In a profile:', ...way.profile.split('\n').map((line) => `     ${terminalLine(line)}`)]),
    ]),
    ...(unknown.length > 0 ? ['', `${notCompared}:`] : []),
    ...unknownIn(report).map((item) => `  ${terminalLine(item)}`),
    ...(learned && compared > 0
      ? ['', `With the profile that was learned, ${number(learned.alike)} of ${number(learned.compared)} are alike.`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function wayMarkup(way: Way, i: number) {
  const name = /([\w-]+)(?:\[\])?$/.exec(way.at)?.[1] ?? '';
  const differs = (line: string) => line.startsWith(`${name}: `);
  const side = (title: string, { status, headers, body }: Side) => {
    const lines = Object.entries(headers)
      .map(([header, value]) => `${header}: ${value}`)
      .join('\n');
    return html`<div><h3>${title}: ${status ?? 'no reply'}</h3>${code(lines, differs)}${code(body ?? '', differs)}</div>`;
  };
  const sides = way.exchanges.map(
    ({ n, request, recorded, mock }) =>
      html`<p><code>#${n} ${request}</code></p><div class="sides">${side('recorded', recorded)}${side('mock', mock)}</div>`,
  );
  const line = way.profile === null ? null : code(way.profile);
  const why = way.profile === null ? `No profile can say this: ${way.why}` : 'In a profile:';
  return html`<section class="card way"><h2>${titleOf(way, i)}</h2><p>${why}</p>${line}${sides}</section>`;
}

const style = `
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 16px; }
.sides > div { min-width: 0; }
.way { margin-top: 16px; }
.way h2 { margin-top: 0; }
`;

function htmlReport(report: FidelityReport): string {
  const { ways, deployment, source, exitCode, unknown } = report;
  const rows = byOperation(report).map(([id, one]) => {
    const cells = one
      ? html`<td>${number(one.alike)}</td><td>${number(one.compared)}</td>`
      : html`<td colspan="2">${notRecorded}</td>`;
    return html`<tr><th scope="row">${id}</th>${cells}</tr>`;
  });
  const items = unknownIn(report).map((item) => html`<li>${item}</li>`);
  const state = exitCode > 0 ? 'fail' : ways.length === 0 ? 'pass' : 'warn';
  return page({
    title: `Fidelity: ${share(report)} of ${deployment}`,
    style,
    script: `document.documentElement.classList.add('js');${copyScript}`,
    body: html`<header class="card verdict ${state}"><p class="soft">How like the mock is to ${deployment}, from ${source}</p><h1>${headline(report)}</h1></header>
<h2>By operation</h2><div class="card table"><table><thead><tr><th>Operation</th><th>Alike</th><th>Compared</th></tr></thead><tbody>${rows}</tbody></table></div>
${ways.map(wayMarkup)}
${unknown.length > 0 ? html`<h2>${notCompared}</h2><ul>${items}</ul>` : null}`,
  });
}

function badge(report: FidelityReport, path = ''): string {
  const part = report.compared === 0 ? 0 : report.alike / report.compared;
  const color = part === 1 ? 'brightgreen' : part >= 0.99 ? 'yellowgreen' : part >= 0.9 ? 'yellow' : 'red';
  return badgeFile({ label: 'mock fidelity', message: share(report), color }, path);
}

/** Every kind of report file, by its name for `--report`. */
export const fidelityFormats = {
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  html: htmlReport,
  badge,
  text: textReport,
} as const satisfies Readonly<Record<string, (report: FidelityReport, path?: string) => string>>;
