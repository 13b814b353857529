import { expect, it } from 'vitest';
import { scopes } from '../../../spec/operations.ts';
import { scopeSentences } from './scope-sentences.ts';

it('has a sentence for every scope', () => {
  expect(scopeSentences.map(({ scope }) => scope)).toEqual(scopes);
  expect(scopeSentences.filter(({ sentence }) => !/^[A-Z].*\.$/.test(sentence))).toEqual([]);
});
