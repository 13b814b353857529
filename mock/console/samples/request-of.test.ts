import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../control/control.ts';
import { codeSample, requestOf } from './code-samples.ts';

/** The curl command of an exchange with this request. */
function asCurl(some: Partial<Exchange['request']>): string {
  const request = { method: 'GET', url: '/v1/labels', headers: {}, body: null, ...some };
  const reply = { status: 200, headers: {}, body: null, broken: null, delay: 0 };
  return codeSample('curl', requestOf({ request, reply, operationId: null }, 'http://127.0.0.1:4010'));
}

/** The arguments as a shell hands them to curl. */
const argumentsOf = (command: string) =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; KEY=secret; ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('an exchange as a curl command', () => {
  it('has $KEY where the key was', () => {
    const command = asCurl({ headers: { 'x-api-key': 'acmefull…', host: 'x', 'user-agent': 'curl' } });
    expect(command).toContain('"x-api-key: $KEY"');
    expect(argumentsOf(command)).toEqual(['-s', '-i', '-H', 'x-api-key: secret', 'http://127.0.0.1:4010/v1/labels']);
  });

  it('sends no key where none was sent', () => {
    expect(asCurl({})).toBe("curl -s -i \\\n  'http://127.0.0.1:4010/v1/labels'");
  });

  it('keeps method, headers and body, whatever quotes are in them', () => {
    const text = `{"a":"it's $HOME \`date\` <script>"}`;
    const headers = { 'content-type': 'application/json', prefer: "code='418'", authorization: 'Bear`date`er …' };
    const sent = argumentsOf(asCurl({ method: 'POST', headers, body: { text, bytes: text.length, shortened: false } }));
    expect(sent.slice(0, 4)).toEqual(['-s', '-i', '-X', 'POST']);
    expect(sent).toContain("prefer: code='418'");
    expect(sent).toContain('authorization: Bear`date`er secret');
    expect(sent[sent.indexOf('--data-raw') + 1]).toBe(text);
  });

  it('is named for its operation, or for its path without long ids', () => {
    const named = (operationId: Exchange['operationId']) => {
      const request = { method: 'GET', url: '/v1/site/517e0001-0000-4000-8000-000000000001', headers: {}, body: null };
      const reply = { status: 200, headers: {}, body: null, broken: null, delay: 0 };
      return requestOf({ request, reply, operationId }, 'http://127.0.0.1:4010').name;
    };
    expect([named('getSite'), named(null)]).toEqual(['getSite', 'GET /v1/site/…0001']);
  });
});
