import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { curlOf } from '../../history/curl.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { virtualMock } from '../../proof/trials/virtual-mock.ts';
import { explained } from '../../target/secrets.ts';
import { sendIt } from './send-it.ts';

const secrets = { ACME_FULL_KEY: 'the-secret', GLOBEX_FULL_KEY: 'another' };
/** What a shell makes of a script in which curl prints its arguments, in any order. */
const said = (script: string, env: Record<string, string> = secrets) =>
  spawnSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${script}`], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
const sent = (script: string) => said(script).stdout.split('\0').sort();

it('sends the same in short lines, with what is shared in one export', async () => {
  const { history } = await tryDefect(null, { rules: new Set(['upload/put-content-type-must-match']) });
  const { target } = await virtualMock({ latency: () => 0 });
  const curls = history.exchanges.map((exchange) => explained(curlOf(exchange), target));
  expect(curls.length).toBeGreaterThan(10);
  for (const curl of curls) expect(sent(sendIt([curl]))).toEqual(sent(curl));
  expect(sendIt(curls).match(/^export /gm)).toHaveLength(1);
});

it.each([
  `curl -i -X POST -H 'content-type: text/plain' --data-binary 'it'\\''s -H \${ACME_FULL_KEY:?no}' 'http://a/b?c=$d'`,
  `curl -i -H "x-api-key: \${ACME_FULL_KEY:?the secret}x" "http://a/\\\${GLOBEX_FULL_KEY:?no}"`,
  `head -c 3 /dev/zero | curl -i -X PUT -H 'content-type;' --data-binary @- 'http://a/b'`,
  `curl -i 'http://a'`,
])('whatever its words are: %s', (curl) => {
  expect(sent(sendIt([curl]))).toEqual(sent(curl));
});

it('says what a secret must be set to', () => {
  const script = sendIt([`curl -i -H "x-api-key: \${ACME_FULL_KEY:?set it to the secret}" 'http://a/v1/labels'`]);
  const secret = '$' + '{ACME_FULL_KEY:?set it to the secret}';
  expect(script.split('\n')).toEqual([
    'export BASE=http://a \\',
    `  ACME_FULL_KEY="${secret}"`,
    '',
    'curl -i \\',
    `  -H "x-api-key: ${secret.replace(/:.*\}/, '}')}" \\`,
    '  "$BASE/v1/labels"',
  ]);
  expect(said(script, {}).stderr).toContain('ACME_FULL_KEY: set it to the secret');
});
