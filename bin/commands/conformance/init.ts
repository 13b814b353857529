import { writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { ConfigurationError } from '../../../spec/configuration-error.ts';

/** `partnerkit conformance init`: a commented target file to fill in. */
export function addInitCommand(group: Command): void {
  group
    .command('init')
    .argument('[file]', 'where to write it', 'target.yaml')
    .description('write a commented target file to fill in')
    .option('--force', 'overwrite the file if it exists')
    .action(async (file: string, { force }: { readonly force?: boolean }) => {
      const { targetTemplate } = await import('../../../conformance/target-template.ts');
      const schema = fileURLToPath(new URL('../../../spec/target.schema.json', import.meta.url));
      const fromFile = relative(dirname(resolve(file)), schema)
        .split(sep)
        .join('/');
      try {
        writeFileSync(file, targetTemplate(fromFile), { flag: force ? 'w' : 'wx' });
      } catch (error) {
        throw new ConfigurationError([`${file}: ${reason(error)}`]);
      }
      process.stdout.write(
        `${file} is written. Fill it in, then see what a run would send:\n  partnerkit conformance plan --target ${file}\n`,
      );
    });
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EEXIST')
    return 'is there already; give another name, or --force to overwrite it';
  return `cannot be written: ${error.message}`;
}
