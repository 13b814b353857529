import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import { completeTarget } from '../scripts/missing-target-fields.ts';
import { deploymentOf } from '../target/deployment.ts';
import { hiddenIn } from './shown.ts';

const list = (key: string, labels: readonly object[]) =>
  ({ operation: 'listLabels', key: `acme/${key}`, status: 200, body: JSON.stringify({ labels }) }) as Exchange;

it('a label that one key is not shown is hidden', () => {
  const [one, two] = [
    { id: '1', name: 'gate code', slug: 'gate-code' },
    { id: '2', name: 'on hold', slug: 'on-hold' },
  ];
  const hidden = (...others: readonly object[]) =>
    hiddenIn([list('limits', [one, two]), list('full', others)], deploymentOf(completeTarget))?.fact;
  expect(hidden(one)).toBe('2');
  expect(hidden()).toBe('1');
});
