import { expect, it } from 'vitest';
import { operationList, scopes } from '../../../spec/operations.ts';
import { scopeSentences } from './scope-sentences.ts';

it('has a sentence for every scope', () => {
  expect(scopeSentences.map(({ scope }) => scope)).toEqual(scopes);
  expect(scopeSentences.filter(({ sentence }) => !/^[A-Z].*\.$/.test(sentence))).toEqual([]);
});

it('names every operation that needs a scope', () => {
  const named = new Set(scopeSentences.flatMap(({ operations }) => operations));
  expect(operationList.filter(({ id, scopes: needed }) => needed.length > 0 && !named.has(id))).toEqual([]);
});
