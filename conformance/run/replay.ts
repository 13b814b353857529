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

/** The result of one law, and the history that it judged. */
interface Replay {
  readonly result: LawResult;
  readonly history: History;
}

/**
 * Runs the situations that give evidence for one law, and judges them by this law. Situations that take minutes run only with `slow`.
 * @throws ConfigurationError for an unknown id, PreflightError when the deployment does not reply
 */
export async function replay(id: string, target: Target, options: RunOptions): Promise<Replay> {
  const law = lawById(id, laws);
  const history = await gather(target, { ...options, rules: new Set([law.rule]) });
  return { result: judgeBy(law, history), history };
}

/** The result with the exchanges that show it, redacted. */
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
  // A reply may hold control characters.
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
