import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import type { HttpReply } from './http.ts';

/** The upload URL in the reply to a start; null if it has no absolute URL. */
export function uploadUrlIn(reply: HttpReply | null): string | null {
  const { uploadUrl } = Object(jsonOrUndefined(new TextDecoder().decode(reply?.body))) as {
    readonly uploadUrl?: unknown;
  };
  return typeof uploadUrl === 'string' && isUrl(uploadUrl) ? uploadUrl : null;
}

/**
 * The URL with the first character of its signature changed; null where no parameter looks like a signature. With another URL, it gets the query of that
 * one; null if that makes no difference, or gives the other URL itself.
 */
export function tamperedUrl(url: string, other: string | null = null): string | null {
  const tampered = new URL(url);
  if (other !== null) {
    if (!isUrl(other)) return null;
    tampered.search = new URL(other).search;
    return [url, other].some((one) => new URL(one).href === tampered.href) ? null : tampered.href;
  }
  const name = [...tampered.searchParams.keys()].find((key) => /sig/i.test(key) && !/sign(ed|ing)/i.test(key));
  const signature = name === undefined ? null : tampered.searchParams.get(name);
  if (name === undefined || !signature) return null;
  tampered.searchParams.set(name, `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`);
  return tampered.href;
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);
