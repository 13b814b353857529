import type { Exchange } from '../history/exchange.ts';

/** One request of a client and the reply that it got, as its server or a recording saw it. */
export interface SentRequest extends Exchange {
  /** Which connection it came by; null where nobody knows. */
  readonly connection: number | null;
  /** Whether the reply was made up or damaged on purpose. */
  readonly fault: boolean;
}

/** What a client sent in one go. */
export interface Traffic {
  /** The variation under which it ran, or the file of the recording. */
  readonly id: string;
  /** Whether something was made difficult for it: then its habits say nothing about its everyday. */
  readonly varied: boolean;
  /** Whether it said that all went well; null where nobody knows. */
  readonly succeeded: boolean | null;
  /** In the order of sending. */
  readonly requests: readonly SentRequest[];
  /** Ids that the client was told, beside those that it asked for. */
  readonly given: ReadonlySet<string>;
  /** What stands in place of keys. */
  readonly marks: readonly string[];
}

/** Whether it is a request to the API, and not to the store of files or to anything else. */
export const isToApi = ({ operation, url }: SentRequest): boolean =>
  operation !== 'storage' && pathOf(url).includes('/v1');

/** Whether its body was seen, and whole: who refuses a request early reads none, and recordings may leave bodies out. */
export const isBodyKnown = ({ requestBody, requestBytes, requestHeaders }: SentRequest): boolean =>
  requestBody === null
    ? requestBytes === 0 && requestHeaders['transfer-encoding'] === undefined
    : requestBody.length >= requestBytes / 4;

/** The path of a URL, absolute or not. */
export const pathOf = (url: string): string =>
  url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');

/** The same request, sent again: key and time do not count. */
export const isSame = (a: SentRequest, b: SentRequest): boolean =>
  a.method === b.method && a.url === b.url && a.requestBody === b.requestBody && a.requestBytes === b.requestBytes;

/** Milliseconds that two senders on different connections may need to learn of each other's replies. */
const unaware = { otherConnection: 100, newConnection: 15 };

/** Whether a client that sent `later` can have known the reply to `before`. */
export function knew(later: SentRequest, before: SentRequest, connections: ReadonlySet<number>): boolean {
  const gap = later.sentAt - before.doneAt;
  if (gap < 0) return false;
  if (later.connection === null) return gap > unaware.newConnection || isSame(later, before);
  if (later.connection === before.connection) return true;
  return gap > (connections.has(later.connection) ? unaware.otherConnection : unaware.newConnection);
}

/** The runs of one and the same request, each sent after the reply to the one before. */
export function attemptsIn({ requests }: Traffic): SentRequest[][] {
  const open: SentRequest[][] = [];
  const all: SentRequest[][] = [];
  for (const request of requests) {
    const at = open.findIndex((attempts) => isSame(attempts[0] as SentRequest, request));
    const attempts = open[at];
    const last = attempts?.at(-1);
    if (attempts !== undefined && last !== undefined && isFailure(last) && last.doneAt <= request.sentAt) {
      attempts.push(request);
    } else {
      const fresh = [request];
      if (at >= 0) open.splice(at, 1);
      open.push(fresh);
      all.push(fresh);
    }
  }
  return all;
}

/** No reply, or one that says no. */
export const isFailure = ({ status }: Pick<Exchange, 'status'>): boolean => status === null || status >= 400;
