import type { Target } from '../../spec/files/target.ts';
import { terminalText } from '../../spec/text/terminal-text.ts';
import { curlOf } from '../history/curl.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { laws } from '../laws/index.ts';
import { judgeBy, type LawResult } from '../laws/judging/judge.ts';
import { lawById } from '../laws/selection.ts';
import { explained } from '../target/secrets.ts';
import { gather, type RunOptions } from './run.ts';

/** One law with what it says, and everything that went over the wire for it. */
interface Replay {
  readonly result: LawResult;
  readonly history: History;
}

/**
 * Brings about again the situations that give evidence for one law, and judges them by it; those that take minutes only with `slow`.
 * @throws ConfigurationError for an id that no law has, PreflightError when nobody answers
 */
export async function replay(id: string, target: Target, options: RunOptions): Promise<Replay> {
  const law = lawById(id, laws);
  const history = await gather(target, { ...options, rules: new Set([law.rule]) });
  return { result: judgeBy(law, history), history };
}

/** A law with every exchange as it went over the wire, secrets by name. */
export function evidenceText({ result, history }: Replay): string {
  const { id, title, outcome, message, finding } = result;
  const shown = finding.breaches.flatMap(({ exchange, with: others = [] }) => [...others, exchange]);
  const exchanges = shown.length > 0 ? [...new Set(shown)].sort((a, b) => a.n - b.n) : history.exchanges;
  const lines = [
    `${id}: ${outcome}`,
    `  ${title}`,
    `  ${message}`,
    ...exchanges.flatMap((exchange) => exchangeLines(exchange, history.known.target)),
  ];
  // A reply may hold what would move the cursor of a terminal.
  return `${terminalText(lines.join('\n'))}\n`;
}

function exchangeLines(exchange: Exchange, target: Target): string[] {
  const { n, situation, operation, key, method, url, requestHeaders, requestBody, status, headers, body, failure } =
    exchange;
  const took = Math.round(exchange.doneAt - exchange.sentAt);
  return [
    '',
    `--- ${n}, ${situation}: ${operation ?? 'no operation'}, ${key ?? 'no key'}, ${took} ms`,
    `> ${method} ${url}`,
    ...headerLines('>', requestHeaders),
    ...(requestBody === null ? [] : ['', requestBody, '']),
    failure === null ? `< ${status}` : `< no reply: ${failure}`,
    ...headerLines('<', headers),
    ...(body ? ['', body] : []),
    `$ ${explained(curlOf(exchange), target)}`,
  ];
}

const headerLines = (mark: string, all: Readonly<Record<string, string>>) =>
  Object.entries(all).map(([name, value]) => `${mark} ${name}: ${value}`);
