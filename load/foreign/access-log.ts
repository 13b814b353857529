import { STATUS_CODES } from 'node:http';

type Fields = Readonly<Record<string, string>>;

/** Quotes and brackets hold spaces; a name may stand before (`rt=0.003`). */
const tokens = /(?:\w+=)?(?:"((?:[^"\\]|\\.)*)"|\[([^\]]*)\]|([^\s"|;,]+))/g;
const request = /^[A-Z]+ (\S+) HTTP\/[\d.]+$/;
const isStatus = (text = '') => Object.hasOwn(STATUS_CODES, text) || /^(000|444|49[4-9])$/.test(text);
const isTime = (text: string) => /^\d{10}\.\d{3}$|^\d{4}-\d\d-\d\dT|^\d\d\/[A-Z][a-z]{2}\/\d{4}:/.test(text);

/** What nginx, or Apache, has to write. */
export const accessLogSettings = `with nginx use log_format judge '$msec $request_time $status $uri'; with Apache LogFormat '{"sentAt":%{begin:msec}t,"durationMs":%{ms}T,"status":%>s,"operation":"%U"}'`;

/**
 * Lines of nginx's `log_format`, in whatever order: what has milliseconds is $msec or $request_time (the longest, where those of
 * upstreams stand beside it); the status stands behind $request, or is the only column that has nothing else.
 */
export function accessLog(text: string): readonly { readonly fields: Fields; readonly line: number }[] | undefined {
  const lines = text.split('\n').flatMap((content, index) => {
    const found = [...content.matchAll(tokens)].map(
      ([, quoted, bracketed, plain = '']) => quoted ?? bracketed ?? plain,
    );
    return found.length === 0 ? [] : [{ found, line: index + 1 }];
  });
  const [first] = lines;
  if (first === undefined || !first.found.some((one) => isTime(one) || request.test(one))) return undefined;
  const only = first.found.flatMap((_, at) => (lines.every(({ found }) => isStatus(found[at])) ? [at] : []));
  return lines.map(({ found, line }) => {
    const asked = found.findIndex((one) => request.test(one));
    const times = found.filter(isTime);
    const took = found.filter((one) => /^\d{1,6}\.\d{3}$/.test(one)).sort((a, b) => Number(b) - Number(a));
    const path = request.exec(found[asked] ?? '')?.[1] ?? found.find((one) => one.startsWith('/'));
    const statusAt = asked >= 0 ? asked + 1 : only.length === 1 ? only[0] : undefined;
    const fields = {
      ...(times[0] && { msec: times.find((one) => !one.includes(':')) ?? times[0] }),
      ...(took[0] && { request_time: took[0] }),
      ...(statusAt !== undefined && { status: found[statusAt] ?? '' }),
      ...(path && { uri: path.replace(/\?.*/, '') }),
    };
    return { fields, line };
  });
}
