import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const sample = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
/** The folder of the journal in the line that runs conformance. */
const journalIn = (script: string) => / --journal (\S+) /.exec(script)?.[1];

it('GitLab keeps the journal in every case', () => {
  const { script, artifacts } = parse(sample('gitlab-ci.yml')).conformance;
  expect(artifacts).toMatchObject({ when: 'always', paths: ['report/'] });
  expect(journalIn(script[0])).toBe('report/journal');
});

it('Jenkins keeps the journal in every case, also where there is no JUnit report', () => {
  const [steps = '', post = ''] = sample('Jenkinsfile').split('post {');
  expect(journalIn(steps)).toBe('report/journal');
  expect(post).toMatch(/^\s*always \{\s*(?:\/\/.*\s*)?archiveArtifacts artifacts: 'report\/\*\*'/);
});
