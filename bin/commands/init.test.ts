import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createServedMock } from '../../mock/adapters/create-served-mock.ts';
import { acme } from '../../mock/proof/acme.ts';
import { run } from '../main.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-init-'));
const mock = await createServedMock();
let url = '';
beforeAll(async () => {
  url = (await mock.listen({ port: 0 })).url;
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

it('writes what the deployment says, with the names of variables for secrets, and says how to go on', async () => {
  vi.stubEnv('ACME_READER_KEY', acme.full);
  const file = join(folder, 'staging.yaml');
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await run(['init', file, '--base-url', url, '--key', 'ACME_READER_KEY', '--conversation', acme.open])).toBe(0);
  expect(print.mock.calls.join('')).toMatch(/staging\.yaml was written\. Fields to add, .*--dry-run/s);
  const written = readFileSync(file, 'utf8');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the target file's own notation
  expect(written).toContain('name: acme-reader\n        secret: ${ACME_READER_KEY}');
  expect(written).toContain(acme.open);
  expect(written).not.toContain(acme.full);
});
