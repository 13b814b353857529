import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { acmeKeys, acmeRecords } from '../../../mock/store/acme-records.ts';

test('the pytest plugin names the records and keys that the TypeScript helpers name, as Python writes names', () => {
  const text = readFileSync(new URL('../../../mock/python/partnerkit_pytest/records.py', import.meta.url), 'utf8');
  const fields = [...text.matchAll(/^ {4}(\w+): str$/gm)].map(([, name]) => name);
  const values = [...text.matchAll(/^ +(\w+)=(?:ids|secrets)\["(.*)"\],$/gm)].map(([, name, original]) => [
    name,
    original,
  ]);
  const wanted = [
    ...Object.values(acmeRecords).flatMap((all) => Object.entries(all)),
    ...acmeKeys.map((key) => [key, key]),
  ];
  expect(values).toEqual(wanted.map(([name = '', original]) => [name.replaceAll(/\W/g, '_'), original]));
  expect(fields).toEqual(values.map(([name]) => name));
});
