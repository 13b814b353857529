import { shellExpanded, shellQuoted } from '../../../spec/text/shell-quoted.ts';

/** A request to be written as code. */
export interface SampleRequest {
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
const title = ({ method, url, status }: SampleRequest) => `${method} ${new URL(url).pathname} answers ${status}`;

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

function fetchCall({ method, url, headers, body }: SampleRequest): string[] {
  return [
    `const reply = await fetch(${literal(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0
      ? []
      : [
          '  headers: {',
          ...headers.map(([name, value]) => `    ${literal(name)}: ${expressionOf(value, 'process.env.KEY')},`),
          '  },',
        ]),
    ...(body === null ? [] : [`  body: ${literal(body)},`]),
    '});',
  ];
}

const javaScript = (request: SampleRequest) =>
  [...fetchCall(request), 'console.log(reply.status, await reply.text());'].join('\n');

const vitest = (request: SampleRequest) =>
  [
    "import { expect, test } from 'vitest';",
    '',
    `test(${literal(title(request))}, async () => {`,
    ...[...fetchCall(request), `expect(reply.status).toBe(${request.status});`].map((line) => `  ${line}`),
    '});',
  ].join('\n');

function pythonCall({ method, url, headers, body }: SampleRequest): string[] {
  return [
    'reply = requests.request(',
    `    ${literal(method)},`,
    `    ${literal(url)},`,
    ...(headers.length === 0
      ? []
      : [
          '    headers={',
          ...headers.map(([name, value]) => `        ${literal(name)}: ${expressionOf(value, 'os.environ["KEY"]')},`),
          '    },',
        ]),
    ...(body === null ? [] : [`    data=${literal(body)}.encode(),`]),
    ')',
  ];
}

const pythonImports = (request: SampleRequest) => [...(usesKey(request) ? ['import os'] : []), 'import requests', ''];

const python = (request: SampleRequest) =>
  [...pythonImports(request), ...pythonCall(request), 'print(reply.status_code, reply.text)'].join('\n');

const pytest = (request: SampleRequest) =>
  [
    ...pythonImports(request),
    '',
    `def test_${title(request).toLowerCase().replaceAll(/\W+/g, '_')}():`,
    ...[...pythonCall(request), `assert reply.status_code == ${request.status}`].map((line) => `    ${line}`),
  ].join('\n');

/** A Go file. @param then what is done with the reply, and what that imports */
function goFile(request: SampleRequest, start: readonly string[], then: readonly string[], imports: readonly string[]) {
  const { method, url, headers, body } = request;
  const used = [...imports, 'net/http', ...(usesKey(request) ? ['os'] : []), ...(body === null ? [] : ['strings'])];
  const sent = body === null ? 'nil' : `strings.NewReader(${literal(body)})`;
  return [
    ...start.slice(0, 2),
    `import (\n${used
      .sort()
      .map((name) => `\t"${name}"\n`)
      .join('')})`,
    ...start.slice(2),
    `\trequest, _ := http.NewRequest(${literal(method)}, ${literal(url)}, ${sent})`,
    ...headers.map(
      ([name, value]) => `\trequest.Header.Set(${literal(name)}, ${expressionOf(value, 'os.Getenv("KEY")')})`,
    ),
    '\treply, err := http.DefaultClient.Do(request)',
    ...then,
    '}',
  ].join('\n');
}

const go = (request: SampleRequest) =>
  goFile(
    request,
    ['package main', '', '', 'func main() {'],
    [
      '\tif err != nil {\n\t\tpanic(err)\n\t}',
      '\tdefer reply.Body.Close()',
      '\tbody, _ := io.ReadAll(reply.Body)',
      '\tfmt.Println(reply.StatusCode, string(body))',
    ],
    ['fmt', 'io'],
  );

const goTest = (request: SampleRequest) =>
  goFile(
    request,
    ['package main', '', '', `func Test${title(request).replaceAll(/\W+/g, '_')}(t *testing.T) {`],
    [
      '\tif err != nil {\n\t\tt.Fatal(err)\n\t}',
      '\tdefer reply.Body.Close()',
      `\tif reply.StatusCode != ${request.status} {\n\t\tt.Fatal(reply.Status)\n\t}`,
    ],
    ['testing'],
  );

const writers = { curl, fetch: javaScript, Python: python, Go: go, vitest, pytest, 'Go test': goTest } as const;
export type Language = keyof typeof writers;

/** The request as a complete program, command or test. */
export const codeSample = (language: Language, request: SampleRequest): string => writers[language](request);
