import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../control/control-types.ts';
import { asCurl } from './as-curl.ts';

const exchange = (request: Partial<Exchange['request']>) => ({
  request: { method: 'GET', url: '/v1/labels', headers: {}, body: null, ...request },
});
const origin = 'http://127.0.0.1:4010';

/** The arguments as a shell hands them to curl. */
const argumentsOf = (command: string) =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; KEY=secret; ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('an exchange as a curl command', () => {
  it('has $KEY where the key was', () => {
    const command = asCurl(
      exchange({ headers: { 'x-api-key': 'acmefull…', host: 'x', 'user-agent': 'curl' } }),
      origin,
    );
    expect(command).toContain('"x-api-key: $KEY"');
    expect(argumentsOf(command)).toEqual(['-i', '-H', 'x-api-key: secret', 'http://127.0.0.1:4010/v1/labels']);
  });

  it('sends no key where none was sent', () => {
    expect(asCurl(exchange({}), origin)).toBe("curl -i \\\n  'http://127.0.0.1:4010/v1/labels'");
  });

  it('keeps method, headers and body, whatever quotes are in them', () => {
    const text = `{"a":"it's $HOME \`date\` <script>"}`;
    const headers = { 'content-type': 'application/json', prefer: "code='418'", authorization: 'Bearer …' };
    const sent = argumentsOf(
      asCurl(exchange({ method: 'POST', headers, body: { text, bytes: text.length, shortened: false } }), origin),
    );
    expect(sent.slice(0, 3)).toEqual(['-i', '-X', 'POST']);
    expect(sent).toContain("prefer: code='418'");
    expect(sent).toContain('Authorization: Bearer secret');
    expect(sent[sent.indexOf('--data-raw') + 1]).toBe(text);
  });
});
