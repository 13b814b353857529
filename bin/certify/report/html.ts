import { counted } from '../../../conformance/counted.ts';
import { durationInWords } from '../../../conformance/reports/duration-in-words.ts';
import { shell } from '../../../conformance/reports/html/evidence-details.ts';
import { lawDetails } from '../../../conformance/reports/html/law-details.ts';
import { filters, lawPage } from '../../../conformance/reports/html/law-page.ts';
import { html, type Markup } from '../../../spec/report-page/markup.ts';
import type { ClientReport, ClientRow } from './client-report-schema.ts';

const kinds: Readonly<Record<ClientRow['kind'], readonly [title: string, about: string]>> = {
  duty: ['Duties', 'The requests of the client, judged by what the contract asks of clients.'],
  fault: ['Faults', 'The client again, with one thing going wrong at a time. The resulting state is compared as well.'],
  freedom: ['Freedoms', 'The client again, with a service that does something in another way that is just as correct.'],
};

const looks = { certified: 'pass', 'not-certified': 'fail', incomplete: 'warn' } as const;

/** One self-contained page: the verdict, what to fix, the least scopes, then every duty, fault and freedom. */
export function clientHtmlReport(report: ClientReport): string {
  const { rows, outcomes } = report;
  const sections = Object.entries(kinds).map(([kind, [title, about]]) => {
    const ofKind = rows.filter((row) => row.kind === kind);
    return ofKind.length === 0 ? html`` : section(report, title, about, ofKind);
  });
  const body = html`${head(report)}
${toFix(report)}
<h2 id="scopes">Least scopes</h2><div class="card"><p>The key of this client needs these scopes and no others. Choose them in the portal:</p>${shell(report.scopes.line)}${report.scopes.notNeeded.length === 0 ? null : html`<p class="soft small">Not needed: ${report.scopes.notNeeded.join(' ')}.</p>`}</div>
<h2 id="rules">Everything that was tried</h2>
<p class="soft small"><b>pass</b> as it should be, <b>fail</b> a documented duty is broken, <b>warn</b> a good client would act differently, <b>observed</b> the client fails and reports it, <b>inconclusive</b> could not be decided, <b>not run</b> the client sends nothing that this is about.</p>
${filters(outcomes)}
${sections}
${used(report)}`;
  return lawPage(`${words(report.verdict)}: ${report.subject}`, body);
}

const capital = (text: string) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
const words = (verdict: string) => capital(verdict.replace('-', ' '));

function head({ verdict, sentence, subject, runs, startedAt, durationMilliseconds, kit, notes }: ClientReport): Markup {
  return html`<header class="card verdict ${looks[verdict]}">
<p class="soft small">Certification of <code>${subject}</code></p>
<h1>${words(verdict)}</h1>
<p>${capital(sentence)}.</p>
${notes.map((note) => html`<p>${note}.</p>`)}
<p class="soft small">${runs === 0 ? 'From a recording' : `${counted(runs, 'run')} of the command`}; ${startedAt.replace('T', ' ').replace(/\..*/, ' UTC')}; took ${durationInWords(durationMilliseconds)}; partnerkit ${kit}</p>
</header>`;
}

function toFix({ rows }: ClientReport): Markup | null {
  const wrong = rows.filter(({ outcome }) => ['fail', 'warn', 'error', 'inconclusive'].includes(outcome));
  if (wrong.length === 0) return null;
  const items = wrong.map(
    ({ id, message, advice, outcome }) =>
      html`<li><span class="badge ${outcome}">${outcome}</span> <a href="#${id}">${id}</a>: ${message}. <b>${advice}</b></li>`,
  );
  return html`<h2>What to fix</h2><div class="card"><ul class="fixes">${items}</ul></div>`;
}

function section(report: ClientReport, title: string, about: string, rows: readonly ClientRow[]): Markup {
  const counts = [...Map.groupBy(rows, ({ outcome }) => outcome)].map(
    ([outcome, group]) => `${group.length} ${outcome.replace('-', ' ')}`,
  );
  const open = rows.some(({ outcome }) => outcome === 'fail' || outcome === 'warn') ? html` open` : null;
  return html`<details class="section"${open}><summary><h3>${title}</h3><span class="soft small">${counts.join(', ')}</span></summary><p class="soft small">${about}</p>${rows.map((row) => lawDetails(report, row, more(row)))}</details>`;
}

function more({ advice, again, output, outcome }: ClientRow): Markup | null {
  if (outcome === 'pass' || outcome === 'not-run' || outcome === 'not-selected') return null;
  return html`<h3>What to do</h3><p>${advice}</p>
${again === null ? null : html`<h3>Reproduce it</h3>${shell(again)}`}
${output === null ? null : html`<h3>What the command printed</h3><pre tabindex="0">${output}</pre>`}`;
}

function used({ operations }: ClientReport): Markup {
  const rows = Object.entries(operations).map(
    ([name, count]) => html`<tr><td>${name}</td><td class="number">${count}</td></tr>`,
  );
  return html`<details class="section"><summary><h3>What the client uses</h3></summary><div class="card table" role="region" aria-label="What the client uses" tabindex="0"><table><thead><tr><th>Operation</th><th class="number">Requests</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}
