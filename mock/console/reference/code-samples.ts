import { shellQuoted } from '../../../spec/text/shell-quoted.ts';
/** A request to be written as code. */
export interface SampleRequest {
  readonly method: string;
  /** With scheme and host. */
  readonly url: string;
  /** The API key. Null takes it from the variable `KEY`, so that it is not shown. Empty sends no key. */
  readonly secret: string | null;
  /** JSON; null for no body. */
  readonly body: string | null;
}

export const languages = ['curl', 'fetch', 'Python', 'Go'] as const;
export type Language = (typeof languages)[number];

/** A text in single quotes for a POSIX shell. */
/** A JSON string is also a valid string in JavaScript, Python and Go. */
const literal = (text: string) => JSON.stringify(text);

function headersOf({ secret, body }: SampleRequest, variable: string): [name: string, expression: string][] {
  return [
    ...(secret === '' ? [] : [['x-api-key', secret === null ? variable : literal(secret)] as [string, string]]),
    ...(body === null ? [] : [['content-type', literal('application/json')] as [string, string]]),
  ];
}

function curl(request: SampleRequest): string {
  const { method, url, secret, body } = request;
  const parts = [method === 'GET' ? 'curl -s' : `curl -s -X ${method}`];
  if (secret !== '') parts.push(secret === null ? '-H "x-api-key: $KEY"' : `-H ${shellQuoted(`x-api-key: ${secret}`)}`);
  if (body !== null) parts.push("-H 'content-type: application/json'", `-d ${shellQuoted(body)}`);
  return [...parts, shellQuoted(url)].join(' \\\n  ');
}

function javaScript(request: SampleRequest): string {
  const { method, url, body } = request;
  const headers = headersOf(request, 'process.env.KEY').map(([name, value]) => `    '${name}': ${value},\n`);
  return [
    `const reply = await fetch(${literal(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: {\n${headers.join('')}  },`]),
    ...(body === null ? [] : [`  body: ${literal(body)},`]),
    '});',
    'console.log(reply.status, await reply.json());',
  ].join('\n');
}

function python(request: SampleRequest): string {
  const { method, url, secret, body } = request;
  const headers = headersOf(request, 'os.environ["KEY"]').map(
    ([name, value]) => `        ${literal(name)}: ${value},\n`,
  );
  return [
    ...(secret === null ? ['import os'] : []),
    'import requests',
    '',
    `reply = requests.${method.toLowerCase()}(`,
    `    ${literal(url)},`,
    ...(headers.length === 0 ? [] : [`    headers={\n${headers.join('')}    },`]),
    ...(body === null ? [] : [`    data=${literal(body)},`]),
    ')',
    'print(reply.status_code, reply.json())',
  ].join('\n');
}

function go(request: SampleRequest): string {
  const { method, url, secret, body } = request;
  const headers = headersOf(request, 'os.Getenv("KEY")').map(
    ([name, value]) => `\trequest.Header.Set(${literal(name)}, ${value})`,
  );
  const imports = ['fmt', 'io', 'net/http', ...(secret === null ? ['os'] : []), ...(body === null ? [] : ['strings'])];
  return [
    'package main',
    '',
    `import (\n${imports.map((name) => `\t"${name}"\n`).join('')})`,
    '',
    'func main() {',
    `\trequest, _ := http.NewRequest(${literal(method)}, ${literal(url)}, ${body === null ? 'nil' : `strings.NewReader(${literal(body)})`})`,
    ...headers,
    '\treply, err := http.DefaultClient.Do(request)',
    '\tif err != nil {\n\t\tpanic(err)\n\t}',
    '\tdefer reply.Body.Close()',
    '\tbody, _ := io.ReadAll(reply.Body)',
    '\tfmt.Println(reply.StatusCode, string(body))',
    '}',
  ].join('\n');
}

const writers: Readonly<Record<Language, (request: SampleRequest) => string>> = {
  curl,
  fetch: javaScript,
  Python: python,
  Go: go,
};

/** The request as a complete program or command. */
export const codeSample = (language: Language, request: SampleRequest): string => writers[language](request);
