import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { init } from './conformance/init.ts';
import { told } from './conformance/running/told.ts';
import { isVariable } from './conformance/variable.ts';

const fallback = 'target.yaml';

/** `partnerkit init`: asks for the options of `conformance init` one by one. */
export function initCommand(command: Command): void {
  command
    .option('--force', 'overwrite the file if it exists')
    .addHelpText(
      'after',
      '\nIt asks for the options of conformance init, which is for scripts.\n\nExample:\n  partnerkit init',
    )
    .action((flags: { readonly force?: boolean }) => told(() => start(flags)));
}

async function start({ force = false }: { readonly force?: boolean }): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Piped lines arrive all at once. The iterator keeps each line until its question.
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (question: string, problemOf: (answer: string) => string | null): Promise<string> => {
    for (;;) {
      terminal.setPrompt(`${question} `);
      terminal.prompt();
      const { value, done } = await lines.next();
      if (done === true)
        throw new ConfigurationError([
          'the input ended before all questions were answered; scripts can use conformance init',
        ]);
      const answer = value.trim();
      const problem = problemOf(answer);
      if (problem === null) return answer;
      process.stderr.write(`  ${problem}\n`);
    }
  };
  const orNothing = (problemOf: (answer: string) => string | null) => (answer: string) =>
    answer === '' ? null : problemOf(answer);
  const orNone = (answer: string) => (answer === '' ? [] : [answer]);
  try {
    const baseUrl = await ask('Address of the deployment, such as https://staging.example.com:', notAnAddress);
    const key = await ask(
      'Name of the environment variable that has a key of your tenant (not the key itself):',
      notSet,
    );
    const conversation = await ask('Id of an open conversation of that tenant (Enter for none):', () => null);
    const limits = await ask(
      'Variable with a key whose rate limit may be used up, to check the limit (Enter for none):',
      orNothing(notSet),
    );
    const stranger = await ask('Variable with a key of another tenant (Enter for none):', orNothing(notSet));
    const strange =
      stranger === '' ? '' : await ask('Id of a conversation of the other tenant (Enter for none):', () => null);
    const taken = (answer: string) =>
      !force && existsSync(answer || fallback) ? `${answer || fallback} exists already; name another file.` : null;
    const file = await ask(`File to write (Enter for ${fallback}):`, taken);
    await init(file || fallback, {
      baseUrl,
      force,
      key: [key],
      conversation: orNone(conversation),
      strangerKey: orNone(stranger),
      strangerConversation: orNone(strange),
      ...(limits !== '' && { limitsKey: limits }),
    });
  } finally {
    terminal.close();
  }
}

const notAnAddress = (answer: string) =>
  /^https?:$/.test(URL.parse(answer)?.protocol ?? '') ? null : 'Give an address that starts with https:// or http://.';

function notSet(answer: string): string | null {
  if (!isVariable(answer)) return 'Give the name of an environment variable, such as ACME_KEY, not the secret.';
  return process.env[answer] ? null : `${answer} is not set; name another one, or set it and start again.`;
}
