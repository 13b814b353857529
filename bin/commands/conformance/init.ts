import type { Command } from 'commander';
import { schemaComment } from '../../../spec/files/schema-comment.ts';
import { packaged } from '../../../spec/packaged.ts';
import { writeOnce } from '../../write-once.ts';

/** `partnerkit conformance init`: a commented target file to fill in. */
export function addInitCommand(group: Command): void {
  group
    .command('init')
    .argument('[file]', 'where to write it', 'target.yaml')
    .description('write a commented target file to fill in')
    .option('--force', 'overwrite the file if it exists')
    .action(async (file: string, { force }: { readonly force?: boolean }) => {
      const { targetTemplate } = await import('../../../conformance/target/target-template.ts');
      const schema = packaged('spec/files/target.schema.json');
      writeOnce(file, schemaComment(file, schema) + targetTemplate, force);
      process.stdout.write(
        `${file} is written. Fill it in, then see what a run would send:\n  partnerkit conformance plan --target ${file}\n`,
      );
    });
}
