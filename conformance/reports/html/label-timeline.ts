import { html, type Markup } from '../../../spec/report-page/markup.ts';
import { durationInWords } from '../duration-in-words.ts';
import type { LabelHistory } from '../report-schema.ts';

type Step = LabelHistory['steps'][number];

interface Size {
  readonly width: number;
  /** Where the bars begin. The texts stand before the bars, or above the bars where there is no room. */
  readonly left: number;
}

const wide: Size = { width: 1020, left: 330 };
const narrow: Size = { width: 330, left: 4 };

/** A bar for each request to the labels of a record, from sending to reply; null for fewer than two requests. */
export function labelTimeline({ holder, label, steps }: LabelHistory, wrong: number): Markup | null {
  if (steps.length < 2) return null;
  const races = steps.some((step, i) => steps.slice(i + 1).some((other) => isRace(step, other)));
  return html`<figure class="timeline"><figcaption class="soft small">Labels of ${holder}: each bar is a request, from sending to its reply; what matters is label ${label}.${races ? ' Writes overlapped.' : ''}</figcaption>
<div class="wide-only">${picture(steps, label, wrong, wide)}</div><div class="narrow-only">${picture(steps, label, wrong, narrow)}</div></figure>`;
}

/** Two writes that were under way at the same time. */
const isRace = (a: Step, b: Step) => a.act !== 'read' && b.act !== 'read' && a.sentAt < b.doneAt && b.sentAt < a.doneAt;

function picture(steps: readonly Step[], label: string, wrong: number, { width, left }: Size): Markup {
  const stacked = left < 100;
  const lane = stacked ? 38 : 24;
  const start = Math.min(...steps.map(({ sentAt }) => sentAt));
  const span = Math.max(1, ...steps.map(({ doneAt }) => doneAt - start));
  const x = (at: number) => Math.round((left + ((at - start) / span) * (width - left - 4)) * 10) / 10;
  const height = steps.length * lane + 22;
  const lines = steps.map((step, i) => {
    const kind = step.exchange === wrong ? 'wrong' : step.act === 'read' ? 'read' : 'write';
    const y = i * lane + (stacked ? 20 : 6);
    const [from, to] = [x(step.sentAt), Math.max(x(step.doneAt), x(step.sentAt) + 3)];
    return html`<text class="name ${kind}" x="0" y="${i * lane + (stacked ? 14 : 17)}">${words(step, label)}</text><rect class="${kind}" x="${from}" y="${y}" width="${Math.round((to - from) * 10) / 10}" height="12" rx="3"/>`;
  });
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${steps.map((step) => words(step, label)).join('; ')}">
${lines}
<text x="${left}" y="${height - 4}">0 ms</text><text x="${width - 4}" y="${height - 4}" text-anchor="end">${durationInWords(span)}</text>
</svg>`;
}

/** `apply "vip": 200, shows it`. */
function words({ act, label: written, status, shows }: Step, label: string): string {
  const what = act === 'read' ? 'read' : `${act} ${written === label || written === null ? 'it' : short(written)}`;
  const seen = shows === null ? '' : shows ? ', is there' : ', is not there';
  return `${what}: ${status ?? 'no reply'}${seen}`;
}

const short = (text: string) => (text.length > 22 ? `${text.slice(0, 20)}…` : text);
