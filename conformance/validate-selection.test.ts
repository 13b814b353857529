import { expect, it } from 'vitest';
import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { sampleChecks } from './proof/sample-checks.ts';
import type { Selection } from './selection.ts';
import { assertKnownSelection, checkById } from './validate-selection.ts';

const problemsOf = (act: () => unknown) => {
  try {
    act();
    return [];
  } catch (error) {
    return error instanceof ConfigurationError ? error.problems : [String(error)];
  }
};
const ofSelection = (selection: Selection) => problemsOf(() => assertKnownSelection(selection, sampleChecks));

it('accepts ids, beginnings of ids, rules and tags', () => {
  const only = ['auth', 'auth/no-key', 'auth/no-key-is-403', 'writes', 'leftovers'];
  expect(ofSelection({ only, skip: only, tags: ['reads', 'upload'] })).toEqual([]);
});

it('answers each unknown word with the nearest', () => {
  expect(ofSelection({ only: ['auth/no-kee', 'zzzzzz'], skip: ['uplaod'], tags: ['raeds'] })).toEqual([
    '--only auth/no-kee: there is no check of this name; did you mean "auth/no-key"?',
    '--only zzzzzz: there is no check of this name; see partnerkit conformance list',
    '--skip uplaod: there is no check of this name; did you mean "upload"?',
    '--tag raeds: there is no tag of this name; did you mean "reads"?',
  ]);
});

it('lists the tags where none is near', () => {
  expect(ofSelection({ tags: ['unheard-of'] })[0]).toMatch(/there are: auth, context, .*writes$/);
});

it('finds a check by its whole id only', () => {
  expect(checkById('upload/start', sampleChecks).rule).toBe('upload/start-is-201');
  expect(problemsOf(() => checkById('upload', sampleChecks))).toEqual([
    'upload: there are 2 checks below it: upload/start, upload/leaves-a-file',
  ]);
  expect(problemsOf(() => checkById('upload/stat', sampleChecks))).toEqual([
    'upload/stat: there is no check of this name; did you mean "upload/start"?',
  ]);
  // Where most of an id is missing, the part of it that is near.
  expect(problemsOf(() => checkById('uplaod', sampleChecks))).toEqual([
    'uplaod: there is no check of this name; did you mean "upload"?',
  ]);
});
