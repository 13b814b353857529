import type { Command } from 'commander';

/** What may follow a command on the line: from `conformance run` to its subcommands and long options. */
export type Words = ReadonlyMap<string, readonly string[]>;

/** Walks all commands of a program. */
export function wordsOf(program: Command): Words {
  const words = new Map<string, readonly string[]>();
  const walk = (command: Command, path: string) => {
    const help = command.createHelp();
    const subcommands = help
      .visibleCommands(command)
      .filter(({ _name }: { _name?: string } & object) => _name !== 'help');
    const options = help.visibleOptions(command).flatMap(({ long }) => long ?? []);
    words.set(path, [...subcommands.map((sub) => sub.name()), ...options]);
    for (const sub of command.commands) walk(sub, `${path} ${sub.name()}`.trim());
  };
  walk(program, '');
  return words;
}
