import { shellExpanded, shellQuoted } from '../../../spec/text/shell-quoted.ts';

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

/** The value of a header as an expression. @param variable the expression for the key */
function expressionOf(value: string, variable: string): string {
  if (!value.endsWith(keyVariable)) return literal(value);
  const before = value.slice(0, -keyVariable.length);
  return before === '' ? variable : `${literal(before)} + ${variable}`;
}

const usesKey = ({ headers }: SampleRequest) => headers.some(([, value]) => value.endsWith(keyVariable));
/** The name of a test. */
const title = ({ name, status }: SampleRequest) => `${name} answers ${status}`;

const shellVariables = new Map([[keyVariable, 'KEY']]);

function curl({ method, url, headers, body }: SampleRequest): string {
  const verb = method === 'HEAD' ? '-I' : method === 'GET' ? '-i' : `-i -X ${method}`;
  const parts = [`curl -s ${verb}`];
  for (const [name, value] of headers) {
    const quoted = value.endsWith(keyVariable) ? shellExpanded : shellQuoted;
    parts.push(`-H ${quoted(`${name}: ${value}`, shellVariables)}`);
  }
  if (body !== null) parts.push(`--data-raw ${shellQuoted(body)}`);
  return [...parts, shellQuoted(url)].join(' \\\n  ');
}

/** Lines for the headers, between a first and a last line; none without headers. */
const headerLines = ({ headers }: SampleRequest, variable: string, indent: string, first: string, last: string) =>
  headers.length === 0
    ? []
    : [
        indent + first,
        ...headers.map(([name, value]) => `${indent}  ${literal(name)}: ${expressionOf(value, variable)},`),
        indent + last,
      ];

const vitest = (request: SampleRequest) =>
  [
    "import { expect, test } from 'vitest';",
    '',
    `test(${literal(title(request))}, async () => {`,
    `  const reply = await fetch(${literal(request.url)}, {`,
    ...(request.method === 'GET' ? [] : [`    method: '${request.method}',`]),
    ...headerLines(request, 'process.env.KEY', '    ', 'headers: {', '},'),
    ...(request.body === null ? [] : [`    body: ${literal(request.body)},`]),
    '  });',
    `  expect(reply.status).toBe(${request.status});`,
    '});',
  ].join('\n');

const pytest = (request: SampleRequest) =>
  [
    ...(usesKey(request) ? ['import os', ''] : []),
    'import requests',
    '',
    '',
    `def test_${title(request)
      .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
      .replaceAll(/\W+/g, '_')
      .toLowerCase()}():`,
    '    reply = requests.request(',
    `        ${literal(request.method)},`,
    `        ${literal(request.url)},`,
    ...headerLines(request, 'os.environ["KEY"]', '        ', 'headers={', '},'),
    ...(request.body === null ? [] : [`        data=${literal(request.body)}.encode(),`]),
    '    )',
    `    assert reply.status_code == ${request.status}`,
  ].join('\n');

function go(request: SampleRequest): string {
  const { method, url, headers, body, status } = request;
  const imports = ['net/http', ...(usesKey(request) ? ['os'] : []), ...(body === null ? [] : ['strings']), 'testing'];
  const sent = body === null ? 'nil' : `strings.NewReader(${literal(body)})`;
  return [
    'package api',
    '',
    `import (\n${imports.map((name) => `\t"${name}"\n`).join('')})`,
    '',
    `func Test${title(request).replaceAll(/(?:^|\W+)(\w)/g, (_, letter: string) => letter.toUpperCase())}(t *testing.T) {`,
    `\trequest, _ := http.NewRequest(${literal(method)}, ${literal(url)}, ${sent})`,
    ...headers.map(
      ([name, value]) => `\trequest.Header.Set(${literal(name)}, ${expressionOf(value, 'os.Getenv("KEY")')})`,
    ),
    '\treply, err := http.DefaultClient.Do(request)',
    '\tif err != nil {\n\t\tt.Fatal(err)\n\t}',
    '\tdefer reply.Body.Close()',
    `\tif reply.StatusCode != ${status} {\n\t\tt.Fatal(reply.Status)\n\t}`,
    '}',
  ].join('\n');
}

const writers = { curl, vitest, pytest, 'Go test': go } as const;
export type Language = keyof typeof writers;
export const languages = Object.keys(writers) as Language[];

/** The request as a command or a complete test. */
export const codeSample = (language: Language, request: SampleRequest): string => writers[language](request);
