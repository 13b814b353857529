import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cert, key } from '../proof/certificate.ts';
import { loadTarget, parseTarget } from './target.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'client.pem'), cert);
writeFileSync(join(folder, 'empty.pem'), '');

const target = (tls: object) => ({
  baseUrl: 'https://partner.example',
  tls,
  tenants: [{ name: 'acme', keys: [{ name: 'full', secret: 'pk_full' }] }],
});
const where = join(folder, 'target.json');

it('reads certificates and keys from variables, and from files beside the target file', () => {
  writeFileSync(where, JSON.stringify(target({ ca: 'client.pem', cert: join(folder, 'client.pem'), key: `\${KEY}` })));
  expect(loadTarget(where, { KEY: key }).tls).toEqual({ ca: cert, cert, key });
});

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

it.each([
  [{ ca: 'missing.pem' }, 'tls.ca: cannot be read: there is no such file; check the path'],
  [{ ca: 'empty.pem' }, 'tls.ca: must be PEM text, which has a line with -----BEGIN'],
  [{ ca: '' }, 'tls.ca: must not be empty'],
  [{ cert }, 'tls.key: is missing: give both cert and key'],
  [{ key }, 'tls.cert: is missing: give both cert and key'],
  [{ cert, key: otherKey }, 'tls.cert: key values mismatch; check that cert and key belong together'],
  [{ cert: key, key }, 'tls.cert: no start line; check that cert and key belong together'],
  [{ pfx: 'x' }, 'tls.pfx: unknown property; allowed: ca, cert, key'],
])('refuses %#, and repeats nothing of it', (tls, problem) => {
  expect(() => parseTarget(target(tls), {}, where)).toThrow(
    new RegExp(`^${where}: ${problem}$`.replaceAll('.', '\\.')),
  );
});
