/** The texts of an exchange, for what must not be in a reply unless it was in the request. */
import type { Exchange } from '../history/exchange.ts';

export const wholeReply = ({ body, headers }: Exchange): string =>
  `${body ?? ''}\n${Object.values(headers).join('\n')}`.toLowerCase();

export const askedText = ({ url, requestBody, requestHeaders }: Exchange): string =>
  decoded(`${url} ${requestBody ?? ''} ${Object.values(requestHeaders).join(' ')}`).toLowerCase();

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const isAWordIn = (word: string, text: string): boolean =>
  text
    .split(word)
    .some((before, i, parts) => i < parts.length - 1 && !/\w$/.test(before) && !/^\w/.test(parts[i + 1] ?? ''));
