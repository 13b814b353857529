import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { createServedMock, type Mock } from '../../adapters/create-served-mock.ts';
import { loadSeeds } from '../../seed/load.ts';
import { openStateFile } from '../../state/state-file.ts';
import { controlClient } from '../control-client.ts';

let mock: Mock;
let control: ReturnType<typeof controlClient>;
beforeAll(async () => {
  mock = await createServedMock();
  control = controlClient((await mock.listen({ port: 0 })).url);
});
afterAll(() => mock.close());
afterEach(() => expect('polluted' in {}).toBe(false));

const state = async () => JSON.stringify({ ...(await mock.snapshot()), takenAt: '' });

const clone = `"clone":{"from":"acme","keys":[],"seed":SEED}`;
const tenant = (more: string) =>
  `{"version":1,"takenAt":"","clock":{"offset":0,"frozenAt":null},"removed":[],"tenants":[{"name":"x",${more}}]}`;
const many = (count: number, piece: string) => Array(count).fill(piece).join();
const names = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":1`).join();
const nothing = '"labels":{"conversations":{},"sites":{},"links":[]},"files":[],"keys":[]';

describe('POST /_mock/restore', () => {
  it.each([
    ['9.9 MB of brackets', '['.repeat(9.9e6)],
    ['ten million empty lists', `{"version":1,"tenants":[${many(10_000_000, '[]')}]}`],
    ['a million tenants that are none', `{"version":1,"tenants":[${many(1_000_000, '[]')}]}`],
    ['a million files that are none', tenant(`"clone":null,"files":[${many(1_000_000, '{}')}],"keys":[]`)],
    ['a hundred thousand unknown properties', `{${names(100_000)}}`],
    ['a hundred thousand holders of labels that are none', tenant(`"labels":{"conversations":{${names(100_000)}}}`)],
    [
      'a clone with a million records that are none',
      tenant(`${nothing},${clone.replace('SEED', `{"tenant":"x","keys":[],"sites":[${many(1_000_000, '{}')}]}`)}`),
    ],
    [
      'a clone with a million keys that are none',
      tenant(`${nothing},${clone.replace('SEED', `{"keys":[${many(1_000_000, '{}')}]}`)}`),
    ],
    ['a clone that is none', tenant(`${nothing},${clone.replace('SEED', '[]')}`)],
    [
      'holders called like what objects have by birth',
      tenant(`"clone":null,${nothing.replace('"sites":{}', '"sites":{"__proto__":["x"],"constructor":["y"]}')}`),
    ],
  ])('refuses %s at once', async (_, text) => {
    const was = await state();
    const { status, body } = await control.send('POST', '/restore', text);
    expect(status).toBe(400);
    expect(body.error.problems.length).toBeLessThanOrEqual(101);
    expect(await state()).toBe(was);
  });
});

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-hardening-'));
  const fields = '"tenant":"acme","version":1';
  const hostile = [
    ['__proto__', `{"__proto__":{"polluted":1},${fields}}`],
    ['__proto__, escaped', `{"\\u005f_proto__":{"polluted":1},${fields}}`],
    ['constructor', `{"constructor":{"prototype":{"polluted":1}},${fields}}`],
    ['a number beyond doubles', `{"keys":1e999,${fields}}`],
    ['half a surrogate pair', '{"tenant":"\\ud800"}'],
    ['two documents', `{${fields}}{${fields}}`],
    ['9.9 MB of brackets', '['.repeat(9.9e6)],
    ['objects within each other', '{"a":'.repeat(1e6)],
  ] as const;

  it.each(hostile)('of fixtures with %s in them are refused in a line', async (_, text) => {
    const file = join(folder, 'tenant.json');
    writeFileSync(file, text);
    await expect(loadSeeds(file)).rejects.toThrow(ConfigurationError);
  });

  it.each([
    [
      'billions of laughs',
      `a: &a0 [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &a${n + 1} [*a${n},*a${n}]`).join('\n')}`,
    ],
    ['an alias within its own anchor', 'tenant: &a [*a]'],
    ['items within items', '- '.repeat(500_000)],
    ['a tag of code', 'tenant: !!js/function "function () { throw 1 }"'],
    ['a merge of __proto__', '__proto__: &p {polluted: 1}\n<<: *p\ntenant: acme\nkeys: []'],
    ['a NUL', 'tenant: "a\0b"'],
  ])('of fixtures with YAML of %s are refused in a line', async (_, text) => {
    const file = join(folder, 'tenant.yaml');
    writeFileSync(file, text);
    await expect(loadSeeds(file)).rejects.toThrow(ConfigurationError);
  });

  it.each(hostile)('of state with %s in them are refused and left alone', async (_, text) => {
    const file = join(folder, 'state.json');
    writeFileSync(file, text);
    const was = await state();
    const opened = await openStateFile(file);
    await expect(opened.load(mock)).rejects.toThrow(ConfigurationError);
    opened.release();
    expect(await state()).toBe(was);
  });
});
