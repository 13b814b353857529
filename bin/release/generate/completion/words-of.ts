import type { Argument, Command, Option } from 'commander';

/** An option as the user types it. */
interface OptionWords {
  /** `--target` */
  readonly long: string;
  readonly description: string;
  /** Whether a value follows. */
  readonly takesValue: boolean;
  /** The possible values; empty if any text is possible. */
  readonly choices: readonly string[];
}

/** The words that may follow a command. */
export interface CommandWords {
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionWords[];
  /** The possible arguments, if they come from a list. */
  readonly choices: readonly string[];
  /** Whether it has an argument that can be any text, such as a file. */
  readonly takesText: boolean;
}

/** The words that may follow, by command, such as `conformance run`. The empty text is partnerkit itself. */
export type Words = ReadonlyMap<string, CommandWords>;

/** Walks all commands of a program. */
export function wordsOf(program: Command): Words {
  const words = new Map<string, CommandWords>();
  const walk = (command: Command, path: string) => {
    const help = command.createHelp();
    const named = new Set(command.commands.map((sub) => sub.name()));
    const args: readonly Argument[] = command.registeredArguments;
    words.set(path, {
      subcommands: help
        .visibleCommands(command)
        .filter((sub) => named.has(sub.name()))
        .map((sub) => ({ name: sub.name(), description: sub.description() })),
      options: help.visibleOptions(command).flatMap(optionWords),
      choices: args.flatMap(({ argChoices = [] }) => argChoices),
      takesText: args.some(({ argChoices }) => argChoices === undefined),
    });
    for (const sub of command.commands) walk(sub, `${path} ${sub.name()}`.trim());
  };
  walk(program, '');
  return words;
}

const optionWords = ({ long, description, required, optional, argChoices = [] }: Option): OptionWords[] =>
  long === undefined || long === null
    ? []
    : [{ long, description, takesValue: required || optional, choices: argChoices }];
