import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { run } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-mistakes-'));
const at = (name: string) => join(folder, name);
beforeAll(() => {
  copyFileSync(resolve(import.meta.dirname, '../fixtures/mock.target.yaml'), at('t.yaml'));
  writeFileSync(at('bad.yaml'), 'a: [1');
  writeFileSync(at('empty.yaml'), '');
  writeFileSync(at('typo.yaml'), 'baseurl: http://127.0.0.1:1\ntenants: []\n');
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

/** A mistake on the command line (@ is the folder), and what has to be said: what is wrong, where, and the remedy. */
const mistakes: readonly (readonly [line: string, said: RegExp])[] = [
  ['mok', /unknown command 'mok'\n\(Did you mean mock\?\)/],
  ['mock --prt 1', /unknown option '--prt'\n\(Did you mean --port\?\)/],
  ['--versoin', /Did you mean --version\?/],
  ['mock --port 99999', /--port <number>' argument '99999' is invalid\. Give a whole number from 0 to 65535/],
  ['mock --rate 0', /--rate <number>' argument '0' is invalid\. Give a number above 0/],
  ['mock --latency 5x', /--latency <spec>' .*Forms: 200ms/],
  ['mock --host 1.2.3.4', /--host 1\.2\.3\.4 is not an address of this machine; give 127\.0\.0\.1/],
  ['mock --fixtures @/none', /none: no such file or folder; give a tenant file/],
  ['mock --fixtures @/bad.yaml', /bad\.yaml:1:6: .* end with a \]/],
  ['mock --fixtures @/empty.yaml', /empty\.yaml: is empty; it must be an object with tenant, description, keys/],
  ['mock --profile @/none.yaml', /none\.yaml: cannot be read: there is no such file; check the path/],
  ['mock --tls-cert x.pem', /--tls-key: is missing: give both cert and key/],
  ['conformance rn', /unknown command 'rn'\n\(Did you mean run\?\)/],
  ['conformance run', /--target FILE is missing: .*partnerkit init/],
  ['conformance run --target', /option '--target <file>' argument missing/],
  ['conformance run --target @/none.yaml', /none\.yaml: cannot be read: there is no such file; check the path/],
  ['conformance run --target @', /cannot be read: it is a folder; give a file/],
  ['conformance run --target @/empty.yaml', /empty\.yaml: is empty; it must be an object with baseUrl, tenants/],
  ['conformance run --target @/typo.yaml', /baseurl: unknown property; did you mean "baseUrl"\?/],
  ['conformance run --target @/t.yaml --only labls', /--only labls: .*did you mean "labels"\?/],
  ['conformance run --target @/t.yaml --report pdf=x', /no report format "pdf"; use html, junit/],
  ['conformance run --target @/t.yaml --report html', /Give a file for html, such as html=report\.html/],
  ['conformance run --target @/t.yaml --timeout 5', /Give a duration such as 500ms/],
  ['conformance run --target @/t.yaml extra', /Expected 0 arguments but got 1: extra/],
  ['conformance explain auth/no-key-is-403', /unknown command 'explain'/],
  ['conformance compare @/a.json @/b.json', /a\.json: cannot be read: there is no such file; check the path/],
  ['conformance compare @/t.yaml @/t.yaml', /t\.yaml: baseUrl: unknown property; allowed: /],
  ['conformance run --target @/t.yaml --only-failed @/a.json', /a\.json: cannot be read: there is no such file/],
  [
    'conformance run --target @/t.yaml --only auth --only-failed @/a.json',
    /--only and --only-failed: give only one of them/,
  ],
  ['init', /--base-url URL is missing: .*--template writes a template/],
  ['init @/n.yaml --base-url http://127.0.0.1:1', /--key VARIABLE is missing: name the environment variable/],
  ['init @/n.yaml --key not-a-variable', /Give the name of an environment variable, such as ACME_KEY/],
  ['init @/n.yaml --base-url http://127.0.0.1:1 --key NO_SUCH_KEY', /variable NO_SUCH_KEY is not set/],
  ['conformance waivers @/a.json', /required option '--owner <name>' not specified/],
  ['init @/t.yaml --template', /t\.yaml: exists already; give another name, or --force/],
  ['init @/t.yaml/t.yaml --template', /t\.yaml: cannot be written: /],
  ['load run burts --target @/t.yaml', /there is no scenario burts; use one of burst, /],
  ['load run burst', /--target FILE is missing: /],
  ['load run burst --target @/t.yaml --key nope', /acme has no usable key nope; it has full, limits/],
  ['load judge @/none.json', /none\.json: cannot be read: there is no such file; check the path/],
  ['load judge @/t.yaml', /columns sentAt, doneAt and status/],
  ['load manifest fleet --target @/t.yaml --parallelism 0', /Give a whole number of at least 1/],
  ['rules auth/no-kee-is-403', /auth\/no-kee-is-403: there is no such rule; did you mean "auth\/no-key-is-403"\?/],
  ['rules lables', /lables: there is no such rule; did you mean "labels"\?/],
  ['export pdf', /Allowed choices are postman, bruno, http/],
  ['doctor --port x', /Give a whole number from 0 to 65535/],
  ['requests http://127.0.0.1:9', /Expected 0 arguments but got 1: http:/],
  ['completion tcsh', /Allowed choices are zsh, bash, fish/],
  ['fixtures --tenant A_B', /--tenant <name>' argument 'A_B' is invalid\. Give lower-case letters/],
  ['fixtures --conversations x', /Give a whole number from 1 to 99,999,999/],
];

it.each(mistakes)('partnerkit %s', async (line, said) => {
  let text = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
    text += part;
    return true;
  });
  const code = await run(line.split(' ').map((word) => word.replace('@', folder)));
  expect(text).toMatch(said);
  expect(code).toBe(2);
});
