/**
 * What the store says to bytes. What this machine cannot reach, resolve or trust, and what the target file does not tell, is no fault of the
 * deployment: then nothing can be told, and the remedy is named.
 */
import { storageReason } from '../../spec/text/storage-reason.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { largeBody } from '../numbers.ts';
import { isUnavailable, type Judgement } from './judge.ts';

/** Whether the other side ended the connection, as a gateway does that refuses a large body. A slow network ends in a time-out. */
const isClosed = ({ status, failure }: Exchange): boolean =>
  status === null && /EPIPE|ECONNRESET|closed|hang up/i.test(failure ?? '');

/** Whether a large body was not answered in time. */
export const isTooSlow = (exchange: Exchange): boolean =>
  exchange.status === null && exchange.requestBytes > largeBody && !isClosed(exchange);

/** Headers of every PUT, which a signature may name. */
const usual = ['host', 'content-type', 'content-length'];

/** Why the reply to a PUT says nothing about the deployment; null where it does. */
function whyNothing(put: Exchange): string | null {
  const { status, failure, body, url, requestHeaders } = put;
  // Larger bytes than those that the store took may be why it closes the connection.
  if (status === null) return isClosed(put) && put.requestBytes > largeBody ? null : (failure ?? 'no reply');
  if (status < 400 || status >= 500) return null;
  const search = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  const signed = search.flatMap(([name, value]) =>
    /-signedheaders$/i.test(name) ? value.toLowerCase().split(';') : [],
  );
  const sent = new Set([...usual, ...Object.keys(requestHeaders).map((name) => name.toLowerCase())]);
  const lacking = signed.filter((name) => !sent.has(name));
  const [reason = ''] = storageReason(body ?? '');
  const lacksHeader =
    /header/i.test(reason) && /missing|required|mandatory/i.test(reason) && !/api-?key|authori[sz]/i.test(reason);
  if (lacking.length === 0 && !lacksHeader) return null;
  return `${status} ${reason}: the storage wants ${lacking.join(', ') || 'a header'} of every PUT; give it as upload.headers`;
}

/** What the reply to a PUT says about the rule that demands something of it. */
export function* judgePut(put: Exchange): Generator<Judgement> {
  const { demand, status, failure } = put;
  if (demand === undefined) return;
  const { rule, succeeds } = demand;
  const expected = succeeds ? 'the store to take the bytes' : 'a refusal of the store';
  const said = { rule, expected, observed: `${status ?? failure}` };
  const why = succeeds ? whyNothing(put) : null;
  if (succeeded(put) === succeeds) {
    if (!isUnavailable(put) && status !== null) yield { ...said, says: 'kept' };
  } else if (!succeeds) yield { ...said, says: 'broken' };
  else if (why !== null) yield { ...said, says: 'unclear', observed: why };
  else if (status !== null && status >= 300 && status < 400)
    yield {
      ...said,
      says: 'suspected',
      observed: `${status}, a redirect, which nobody follows with the bytes of a file`,
    };
  else yield { ...said, says: 'suspected' };
}
