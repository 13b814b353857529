import { shellExpanded, shellQuoted } from '../../../spec/text/shell-quoted.ts';
import type { Exchange } from '../control/control.ts';
import { withShortIds } from '../parts/words.ts';

/** A request to be written as code. */
export interface SampleRequest {
  /** What a test is named for: `getSite`. */
  readonly name: string;
  readonly method: string;
  /** With scheme and host. */
  readonly url: string;
  /** A value that ends with `keyVariable` takes the key from the environment, so that it is not shown. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null for no body. */
  readonly body: string | null;
  /** The status that a test expects. */
  readonly status: number;
}

/** Stands for the API key at the end of a header's value. */
export const keyVariable = '$KEY';

/** A JSON string is also a valid string in JavaScript, Python and Go. */
const literal = (text: string) => JSON.stringify(text);

/** Names and values of the headers as expressions. @param variable the expression for the key */
const expressions = ({ headers }: SampleRequest, variable: string) =>
  headers.map(([name, value]) => {
    const before = value.endsWith(keyVariable) ? value.slice(0, -keyVariable.length) : null;
    const expression = before === null ? literal(value) : before === '' ? variable : `${literal(before)} + ${variable}`;
    return [literal(name), expression] as const;
  });

/** Lines that are there only under a condition. */
const when = (condition: boolean, ...lines: readonly string[]) => (condition ? lines : []);
/** Whether it takes the key from the environment. */
export const usesKey = (headers: SampleRequest['headers']) => headers.some(([, value]) => value.endsWith(keyVariable));
/** The name of a test. */
const title = ({ name, status }: SampleRequest) => `${name} answers ${status}`;

function curl({ method, url, headers, body }: SampleRequest): string {
  const verb = method === 'HEAD' ? '-I' : method === 'GET' ? '-i' : `-i -X ${method}`;
  const sent = headers.map(([name, value]) => {
    const quoted = value.endsWith(keyVariable) ? shellExpanded : shellQuoted;
    return `-H ${quoted(`${name}: ${value}`, new Map([[keyVariable, 'KEY']]))}`;
  });
  const data = when(body !== null, `--data-raw ${shellQuoted(body ?? '')}`);
  return [`curl -s ${verb}`, ...sent, ...data, shellQuoted(url)].join(' \\\n  ');
}

/** The headers as lines of a map, between a first and a last line; none without headers. */
function mapOf(request: SampleRequest, variable: string, indent: string, first: string): readonly string[] {
  const lines = expressions(request, variable).map(([name, value]) => `${indent}  ${name}: ${value},`);
  return when(lines.length > 0, indent + first, ...lines, `${indent}},`);
}

const vitest = (request: SampleRequest) => [
  "import { expect, test } from 'vitest';",
  '',
  `test(${literal(title(request))}, async () => {`,
  `  const reply = await fetch(${literal(request.url)}, {`,
  ...when(request.method !== 'GET', `    method: '${request.method}',`),
  ...mapOf(request, 'process.env.KEY', '    ', 'headers: {'),
  ...when(request.body !== null, `    body: ${literal(request.body ?? '')},`),
  '  });',
  `  expect(reply.status).toBe(${request.status});`,
  '});',
];

const pytest = (request: SampleRequest) => [
  ...when(usesKey(request.headers), 'import os', ''),
  'import requests',
  '',
  '',
  `def test_${title(request)
    .replaceAll(/(?<=[a-z])(?=[A-Z])|\W+/g, '_')
    .toLowerCase()}():`,
  '    reply = requests.request(',
  `        ${literal(request.method)},`,
  `        ${literal(request.url)},`,
  ...mapOf(request, 'os.environ["KEY"]', '        ', 'headers={'),
  ...when(request.body !== null, `        data=${literal(request.body ?? '')}.encode(),`),
  '    )',
  `    assert reply.status_code == ${request.status}`,
];

const go = (request: SampleRequest) => [
  'package api',
  '',
  'import (',
  '\t"net/http"',
  ...when(usesKey(request.headers), '\t"os"'),
  ...when(request.body !== null, '\t"strings"'),
  '\t"testing"',
  ')',
  '',
  `func Test${title(request).replaceAll(/(?:^|\W+)(\w)/g, (_, letter: string) => letter.toUpperCase())}(t *testing.T) {`,
  `\trequest, _ := http.NewRequest(${literal(request.method)}, ${literal(request.url)}, ${
    request.body === null ? 'nil' : `strings.NewReader(${literal(request.body)})`
  })`,
  ...expressions(request, 'os.Getenv("KEY")').map(([name, value]) => `\trequest.Header.Set(${name}, ${value})`),
  '\treply, err := http.DefaultClient.Do(request)',
  '\tif err != nil {\n\t\tt.Fatal(err)\n\t}',
  '\tdefer reply.Body.Close()',
  `\tif reply.StatusCode != ${request.status} {\n\t\tt.Fatal(reply.Status)\n\t}`,
  '}',
];

const writers = { curl: (request: SampleRequest) => [curl(request)], vitest, pytest, 'Go test': go } as const;
export type Language = keyof typeof writers;
export const languages = Object.keys(writers) as Language[];

/** The request as a command or a complete test. */
export const codeSample = (language: Language, request: SampleRequest): string => writers[language](request).join('\n');

/** Headers that every client sends by itself, or that belong to one connection. */
const leftOut =
  /^(?:sec-.*|host|user-agent|accept-(?:encoding|language)|connection|content-length|transfer-encoding|expect|cookie|referer|origin)$/;

/** The request of an exchange, to be sent again or written as code. The journal keeps no key. @param secret by default a variable */
export function requestOf(
  { request, reply, operationId }: Pick<Exchange, 'request' | 'reply' | 'operationId'>,
  origin: string,
  secret = keyVariable,
): SampleRequest {
  const headers = Object.entries(request.headers).flatMap(([name, value = '']): [string, string][] => {
    if (name === 'x-api-key') return [[name, secret]];
    if (name === 'authorization') return [[name, `${value.split(' ', 1)[0]} ${secret}`]];
    const isOwn = !leftOut.test(name) && !(name === 'accept' && value === '*/*');
    return isOwn ? [[name, value]] : [];
  });
  const { method, url, body } = request;
  const name = operationId ?? `${method} ${withShortIds(url.split('?', 1)[0] ?? '')}`;
  return { name, method, url: origin + url, headers, body: body?.text ?? null, status: reply.status };
}

/** A first request that every key may send. @param secret undefined for a key in a variable */
export const firstRequest = (secret = keyVariable): SampleRequest => ({
  name: 'listLabels',
  method: 'GET',
  url: `${location.origin}/v1/labels`,
  headers: [['x-api-key', secret]],
  body: null,
  status: 200,
});
