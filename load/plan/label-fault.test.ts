import { expect, test } from 'vitest';
import { labelFault, textsIn } from './label-fault.ts';

const label = { id: 'id-spare', name: 'spare' };
const records = (...names: string[]) =>
  textsIn(JSON.stringify({ siteId: 's', labels: names.map((name) => ({ id: `id-${name}`, name })) }));
const baseline = records('vip');

test('while others write the label, it may come and go, and other labels must stay', () => {
  expect(labelFault(baseline, records('vip'), label, undefined)).toBeUndefined();
  expect(labelFault(baseline, records('spare', 'vip'), label, undefined)).toBeUndefined();
  expect(labelFault(baseline, records('spare', 'spare', 'vip'), label, undefined)).toBe('the label is there 2 times');
  expect(labelFault(baseline, records('spare'), label, undefined)).toMatch(/vip is missing/);
  expect(labelFault(baseline, records('vip', 'new'), label, undefined)).toMatch(/new was not there before/);
});

test('without other writers, the reply must have the label after an apply and not after a removal', () => {
  expect(labelFault(baseline, records('vip'), label, true)).toBe('the applied label is not there');
  expect(labelFault(baseline, records('spare', 'vip'), label, true)).toBeUndefined();
  expect(labelFault(baseline, records('spare', 'vip'), label, false)).toBe('the removed label is still there');
  expect(labelFault(baseline, records('vip'), label, false)).toBeUndefined();
});

test('finds the label in a reply of any shape', () => {
  expect(labelFault(textsIn('["vip"]'), textsIn('["spare","vip"]'), label, true)).toBeUndefined();
  expect(
    labelFault(textsIn('{"data":["id-vip"]}'), textsIn('{"data":["id-vip","id-spare"]}'), label, true),
  ).toBeUndefined();
});
