import { shells } from '../../commands/completion.ts';
import { createProgram } from '../../create-program.ts';
import { completionScript } from './completion/completion-script.ts';
import { wordsOf } from './completion/words-of.ts';
import type { Files } from './files.ts';

/** The files that are generated from the command line: the scripts that `partnerkit completion` prints. */
export async function fromCommands(): Promise<Files> {
  const words = wordsOf(await createProgram());
  return new Map(shells.map((shell) => [`bin/completion/partnerkit.${shell}`, completionScript(shell, words)]));
}
