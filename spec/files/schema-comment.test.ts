import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packaged, packageRoot } from '../package-facts.ts';
import { schemaComment } from './schema-comment.ts';

it('leads from the folder of the file to the schema of the package', () => {
  const schema = packaged('spec/files/target.schema.json');
  const comment = schemaComment(join(packageRoot(), 'ci/staging/target.yaml'), schema);
  expect(comment).toBe('# yaml-language-server: $schema=../../spec/files/target.schema.json\n');
});
