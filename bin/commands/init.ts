import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { init } from './conformance/init.ts';
import { told } from './conformance/running/told.ts';
import { isVariable } from './conformance/variable.ts';

const fallback = 'target.yaml';

/** `partnerkit init`: what `conformance init` takes as options, asked for one by one. */
export function initCommand(command: Command): void {
  command
    .option('--force', 'overwrite the file if it exists')
    .addHelpText(
      'after',
      '\nIt asks what conformance init takes as options; scripts use that.\n\nExample:\n  partnerkit init',
    )
    .action((flags: { readonly force?: boolean }) => told(() => start(flags)));
}

async function start({ force = false }: { readonly force?: boolean }): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Piped lines arrive at once: each line is kept until its question.
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (question: string, problemOf: (answer: string) => string | null): Promise<string> => {
    for (;;) {
      terminal.setPrompt(`${question} `);
      terminal.prompt();
      const { value, done } = await lines.next();
      if (done === true)
        throw new ConfigurationError(['the answers ended before the questions; see conformance init --help']);
      const answer = value.trim();
      const problem = problemOf(answer);
      if (problem === null) return answer;
      process.stderr.write(`  ${problem}\n`);
    }
  };
  const orNothing = (problemOf: (answer: string) => string | null) => (answer: string) =>
    answer === '' ? null : problemOf(answer);
  const some = (answer: string) => (answer === '' ? [] : [answer]);
  try {
    const baseUrl = await ask('Where is the deployment, such as https://staging.example.com?', notAnAddress);
    const key = await ask('Which environment variable holds a key of your tenant? Its name, not the key:', notSet);
    const conversation = await ask('Id of an open conversation of that tenant (Enter for none):', () => null);
    const limits = await ask(
      'Variable with a key that may be exhausted, to judge the limit (Enter for none):',
      orNothing(notSet),
    );
    const stranger = await ask('Variable with a key of another tenant (Enter for none):', orNothing(notSet));
    const strange =
      stranger === '' ? '' : await ask('Id of a conversation of the other tenant (Enter for none):', () => null);
    const taken = (answer: string) =>
      !force && existsSync(answer || fallback) ? `${answer || fallback} is there already; name another one.` : null;
    const file = await ask(`Which file shall be written (Enter for ${fallback})?`, taken);
    await init(file || fallback, {
      baseUrl,
      force,
      key: [key],
      conversation: some(conversation),
      strangerKey: some(stranger),
      strangerConversation: some(strange),
      ...(limits !== '' && { limitsKey: limits }),
    });
  } finally {
    terminal.close();
  }
}

const notAnAddress = (answer: string) =>
  /^https?:$/.test(URL.parse(answer)?.protocol ?? '') ? null : 'Give an address that begins with https:// or http://.';

function notSet(answer: string): string | null {
  if (!isVariable(answer)) return 'Give the name of an environment variable, such as ACME_KEY, and no secret.';
  return process.env[answer] ? null : `${answer} is not set here; set it, and start again, or name another one.`;
}
