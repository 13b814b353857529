import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { InitFlags } from './init.ts';

export const fallback = 'target.yaml';

/** Asks for the options of `partnerkit init` one by one. @param named the file, if it was given */
export async function ask(
  named: string | undefined,
  force: boolean,
): Promise<{ readonly file: string; readonly flags: InitFlags }> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Piped lines arrive all at once. The iterator keeps each line until its question.
  const lines = terminal[Symbol.asyncIterator]();
  const answerTo = async (question: string, problemOf: (answer: string) => string | null = () => null) => {
    for (;;) {
      terminal.setPrompt(`${question} `);
      terminal.prompt();
      const { value, done } = await lines.next();
      if (done === true)
        throw new ConfigurationError([
          'the input ended before all questions were answered; scripts can use its options, see init --help',
        ]);
      const answer: string = value.trim();
      const isOptional = question.includes('(Enter for none)');
      const problem = isOptional && answer === '' ? null : problemOf(answer);
      if (problem === null) return answer;
      process.stderr.write(`  ${problem}\n`);
    }
  };
  const many = (answer: string) => (answer === '' ? [] : [answer]);
  try {
    const baseUrl = await answerTo('Address of the deployment, such as https://staging.example.com:', notAnAddress);
    const key = await answerTo('Name of the variable with a key of your tenant (not the key itself):', notSet);
    const conversation = await answerTo('Id of an open conversation of that tenant (Enter for none):');
    const limits = 'Variable with a key whose rate limit may be used up, to check the limit (Enter for none):';
    const limitsKey = await answerTo(limits, notSet);
    const stranger = await answerTo('Variable with a key of another tenant (Enter for none):', notSet);
    const strange = stranger && (await answerTo('Id of a conversation of the other tenant (Enter for none):'));
    const taken = (answer: string) =>
      !force && existsSync(answer || fallback) ? `${answer || fallback} exists already; name another file.` : null;
    const file = named ?? (await answerTo(`File to write (Enter for ${fallback}):`, taken));
    const flags = {
      baseUrl,
      force,
      key: [key],
      conversation: many(conversation),
      strangerKey: many(stranger),
      strangerConversation: many(strange),
      ...(limitsKey !== '' && { limitsKey }),
    };
    return { file: file || fallback, flags };
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

/** Whether a text is the name of an environment variable in capitals, which a secret pasted by mistake hardly is. */
export const isVariable = (text: string): boolean => /^[A-Za-z_]\w{0,63}$/.test(text) && text === text.toUpperCase();
