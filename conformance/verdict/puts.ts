/**
 * What the store says to bytes. What this machine cannot reach, resolve or trust, and what the target file does not tell, is no fault of the
 * deployment: then nothing can be told, and the remedy is named.
 */
import type { RuleId } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { Evidence } from './evidence.ts';

/** Bytes of a body that a slow network cannot carry in time. */
const large = 1_000_000;

/** Whether the other side ended the connection, as a gateway does that refuses a large body. A slow network ends in a time-out. */
export const isClosed = ({ status, failure }: Exchange): boolean =>
  status === null && /EPIPE|ECONNRESET|closed|hang up/i.test(failure ?? '');

/** Whether a large body was not answered in time. */
export const isTooSlow = (exchange: Exchange): boolean =>
  exchange.status === null && exchange.requestBytes > large && !isClosed(exchange);

const remedies: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'this machine does not know the host of the upload URL; check its DNS'],
  [
    /certificate|TLS|SSL|EPROTO|self.signed|wrong version/i,
    'this machine does not trust the store; give it the authority (NODE_EXTRA_CA_CERTS)',
  ],
  [/may not send uploads/, 'give a baseUrl beside the store'],
  [/within \d+ ms/, 'check that this machine reaches the store, or give a longer --timeout'],
];

/** Headers of every PUT, which a signature may name. */
const usual = ['host', 'content-type', 'content-length'];

/** Why the reply to a PUT that must succeed says nothing about the deployment; null where it does. */
function whyNothing(put: Exchange): string | null {
  const { status, failure, body, url, requestHeaders } = put;
  if (status === null) {
    if (isClosed(put) && put.requestBytes > large) return null;
    const remedy = remedies.find(([pattern]) => pattern.test(failure ?? ''))?.[1];
    return `${failure ?? 'no reply'}: ${remedy ?? 'check that this machine reaches the store'}`;
  }
  if (succeeded(put) || status < 400 || status >= 500) return null;
  const search = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  const signed = search.flatMap(([name, value]) =>
    /-signedheaders$/i.test(name) ? value.toLowerCase().split(';') : [],
  );
  const lacking = signed.filter((name) => !usual.includes(name) && !(name in requestHeaders));
  const reason = body?.replace(/\s+/g, ' ').trim().slice(0, 120) ?? '';
  const isWanting =
    /header/i.test(reason) && /missing|required|mandatory/i.test(reason) && !/api-?key|authoriz/i.test(reason);
  if (lacking.length === 0 && !isWanting) return null;
  return `${status} ${reason}: the store wants ${lacking.join(', ') || 'a header'} of every PUT; give it in upload.headers`;
}

/** What the reply to a PUT shows that a rule does not expect. */
export function putSigns(put: Exchange): ('wrong reply' | 'no usable reply')[] {
  const { demand } = put;
  if (demand === undefined || succeeded(put) === demand.succeeds) return [];
  if (!demand.succeeds) return succeeded(put) ? ['wrong reply'] : [];
  if (whyNothing(put) !== null) return [];
  return [isUnavailable(put) ? 'no usable reply' : 'wrong reply'];
}

/** @param suspect is told what must be tried again before it counts */
export function judgePuts(
  exchanges: readonly Exchange[],
  evidenceOf: (rule: RuleId) => Evidence,
  suspect: (put: Exchange, rule: RuleId, sign: 'wrong reply' | 'no usable reply', observed: string) => void,
): void {
  const unsaid = new Map<RuleId, string>();
  for (const put of exchanges) {
    const { demand, status, failure } = put;
    if (demand === undefined) continue;
    const { rule, succeeds } = demand;
    const [sign] = putSigns(put);
    const isRedirect = status !== null && status >= 300 && status < 400;
    const observed = `${status ?? failure}${isRedirect ? ', a redirect, which nobody follows with the bytes of a file' : ''}`;
    if (sign !== undefined && succeeds) suspect(put, rule, sign, observed);
    else if (sign !== undefined) {
      const start = exchanges.filter(({ n }) => String(n) === put.params.start);
      evidenceOf(rule).failures.push({ exchange: put, expected: 'a refusal of the store', observed, with: start });
    } else if (succeeds && !succeeded(put)) unsaid.set(rule, whyNothing(put) ?? observed);
    else if (!isUnavailable(put)) evidenceOf(rule).kept++;
  }
  for (const [rule, why] of unsaid) if (evidenceOf(rule).kept === 0) evidenceOf(rule).unclear.push(why);
}
