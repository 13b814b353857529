import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { expect, it } from 'vitest';
import { sampleReport } from '../proof/sample-report.ts';
import { junitReport } from './junit.ts';

const validator = XsdValidator.fromDoc(
  XmlDocument.fromString(readFileSync(new URL('junit.xsd', import.meta.url), 'utf8')),
);
const validate = (text: string) => validator.validate(XmlDocument.fromString(text));
const text = junitReport(await sampleReport());

it('fits the common schema of JUnit reports', () => {
  validate(text);
  for (const element of ['failure', 'error', 'skipped', 'system-out']) expect(text).toContain(`<${element}`);
});

it.each([
  ['a testcase without a name', / name="auth[^"]*"/, ''],
  ['a total that is not a number', /tests="\d+"/, 'tests="many"'],
  ['an unknown element', '<failure', '<verdict/><failure'],
  ['a time that is NaN', /time="[\d.]+"/, 'time="NaN"'],
])('the schema refuses a report with %s', (_, from, to) => {
  expect(() => validate(text.replace(from, to))).toThrow();
});
