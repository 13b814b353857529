import { operationIds } from '../spec/operations.ts';
import { badgeFile } from '../spec/report-page/badge.ts';

import { code, codeStyle, copyScript, html } from '../spec/report-page/markup.ts';
import { page } from '../spec/report-page/page.ts';
import { terminalLine } from '../spec/text/terminal-text.ts';
import type { FidelityReport } from './fidelity.ts';

const number = (value: number) => value.toLocaleString('en-US');
const counted = (count: number, one: string, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** 98.6%; 100% only where all are. */
const share = ({ alike, compared }: Pick<FidelityReport, 'alike' | 'compared'>) =>
  compared === 0 ? 'nothing compared' : `${Math.floor((alike / compared) * 1000) / 10}%`;

/** `2,441 of 2,475 replies alike (98.6%), 14 of 14 operations; 34 differ in 3 ways` */
function headline(report: FidelityReport): string {
  const { alike, compared, operations, ways } = report;
  const asked = operationIds.filter((id) => operations.some((one) => one.id === id));
  const differ = compared - alike;
  const rest = differ === 0 ? '' : `; ${number(differ)} differ in ${counted(ways.length, 'way')}`;
  return `${number(alike)} of ${counted(compared, 'reply', 'replies')} alike (${share(report)}), ${asked.length} of ${operationIds.length} operations${rest}`;
}

const bySide = ({ status, body }: FidelityReport['ways'][number]['exchanges'][number]['mock']) =>
  terminalLine(`${status} ${body ?? ''}`).slice(0, 150);

export function textReport(report: FidelityReport): string {
  const { operations, ways, unknown, unheld, learned } = report;
  const widest = Math.max(...operations.map(({ id }) => id.length));
  const lines = [
    headline(report),
    ...operations.map((one) => `  ${one.id.padEnd(widest)}  ${number(one.alike)} of ${number(one.compared)}`),
    ...ways.flatMap((way, i) => [
      '',
      `${i + 1}. ${way.operation}: ${terminalLine(way.difference)}; ${counted(way.replies, 'reply', 'replies')}`,
      ...way.exchanges.flatMap(({ n, request, recorded, mock }) => [
        `   #${n} ${terminalLine(request).slice(0, 150)}`,
        `     recorded ${bySide(recorded)}`,
        `     mock     ${bySide(mock)}`,
      ]),
      ...(way.profile === null
        ? [`   No profile can say this: ${way.why}`]
        : ['   In a profile:', indented(way.profile)]),
    ]),
    ...listed(
      'Not compared, because the mock cannot know:',
      unknown.map(({ what, replies }) => `${what} (${number(replies)})`),
    ),
    ...listed(
      'In the records, and in no fixture:',
      unheld.map(({ what, times }) => `${what} (${number(times)})`),
    ),
    ...(learned === null
      ? []
      : ['', `With the profile that was learned, ${number(learned.alike)} of ${number(learned.compared)} are alike.`]),
  ];
  return `${lines.join('\n')}\n`;
}

const indented = (text: string) => terminalLines(text).replace(/^/gm, '     ');
const terminalLines = (text: string) => text.split('\n').map(terminalLine).join('\n');
const listed = (title: string, items: readonly string[]) =>
  items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${terminalLine(item)}`)];

function htmlReport(report: FidelityReport): string {
  const { operations, ways, unknown, unheld, deployment, source } = report;
  const rows = operations.map(
    (one) => html`<tr><th scope="row">${one.id}</th><td>${number(one.alike)}</td><td>${number(one.compared)}</td></tr>`,
  );
  const side = (
    title: string,
    { status, headers, body }: FidelityReport['ways'][number]['exchanges'][number]['mock'],
  ) =>
    html`<div><h3>${title}: ${status ?? 'no reply'}</h3>${code(
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    )}${code(body ?? '')}</div>`;
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? null : html`<h2>${title}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  const all = ways.map(
    (
      way,
      i,
    ) => html`<section class="card way"><h2>${i + 1}. ${way.operation}: ${way.difference} <span class="small soft">${counted(way.replies, 'reply', 'replies')}</span></h2>
${way.profile === null ? html`<p>No profile can say this: ${way.why ?? ''}</p>` : html`<p>In a profile:</p>${code(way.profile)}`}
${way.exchanges.map(({ n, request, recorded, mock }) => html`<p><code>#${n} ${request}</code></p><div class="sides">${side('recorded', recorded)}${side('mock', mock)}</div>`)}</section>`,
  );
  const state = report.exitCode === 0 ? (ways.length === 0 ? 'pass' : 'warn') : 'fail';
  return page({
    title: `Fidelity: ${share(report)} of ${deployment}`,
    style: `${codeStyle}.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 16px; } .sides > div { min-width: 0; } .way { margin-top: 16px; } .way h2 { margin-top: 0; }`,
    script: `document.documentElement.classList.add('js');${copyScript}`,
    body: html`<header class="card verdict ${state}"><p class="soft">How like the mock is to ${deployment}, from ${source}</p><h1>${headline(report)}</h1></header>
<h2>By operation</h2><div class="card table"><table><thead><tr><th>Operation</th><th>Alike</th><th>Compared</th></tr></thead><tbody>${rows}</tbody></table></div>
${all}
${list(
  'Not compared, because the mock cannot know',
  unknown.map(({ what, replies }) => `${what} (${number(replies)})`),
)}
${list(
  'In the records, and in no fixture',
  unheld.map(({ what, times }) => `${what} (${number(times)})`),
)}`,
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
