/** How a way of being wrong shows. */
import { commandLine } from '../../spec/text/shell-quoted.ts';

/** One request of the packaged tenants, as anybody can send it. */
export interface ShownRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How often it is sent; once by default. */
  readonly times?: number;
}

/** How a client sees a way of being wrong. */
export interface Shown {
  /** In words: `GET /v1/labels with the key acme/none: expected 403, got 200`; null where a run of the kit does not find it. */
  readonly sees: string | null;
  /** Why a run of the kit does not find it. */
  readonly missed?: string;
  /** Sent to a new mock one after the other: the last reply differs from that of a right one. Empty where only a run shows it. */
  readonly requests: readonly ShownRequest[];
}

/** By the ids of the ways. Written by `npm run wrong:show`. */
export async function shownIn(): Promise<Readonly<Record<string, Shown>>> {
  const { default: shown } = await import('./generated/shown.json', { with: { type: 'json' } });
  // The type of five hundred literals says no more.
  return shown as unknown as Readonly<Record<string, Shown>>;
}

/** The requests as commands. @param base the address of the mock */
export const curlLines = ({ requests }: Pick<Shown, 'requests'>, base: string): string[] =>
  requests.map(({ method, path, headers, body, times = 1 }) => {
    const options = Object.entries(headers).flatMap(([name, value]) => [
      '-H',
      value === '' ? `${name};` : `${name}: ${value}`,
    ]);
    const data = body === undefined ? [] : ['--data-binary', body];
    const verb = method === 'GET' && body === undefined ? [] : ['-X', method];
    const line = commandLine(['curl', '-si', ...verb, ...options, ...data, `${base}${path}`]);
    return times === 1 ? line : `for i in $(seq ${times}); do ${line}; done`;
  });

/** What two replies to the same request have in common: not the ids, times and signatures that are made for each. */
export function formOf(status: number, headers: Iterable<readonly [string, string]>, body: string | null): string {
  const lines = [...headers]
    .filter(([name]) => !ofEach.test(name))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return `${status}\n${lines.sort().join('\n')}\n${body ?? ''}`
    .replace(/"fileKey":"[\da-f-]{36}"/g, '"fileKey":"…"')
    .replace(/"[^"]*X-Amz-[^"]*"/g, '"…"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
}

/** Headers that differ from reply to reply, or that a server adds. */
const ofEach = /^(?:date|connection|keep-alive|content-length|transfer-encoding|x-amz-.*|retry-after)$/i;
