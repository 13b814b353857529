import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { packageVersion } from '../spec/package-facts.ts';
import { createProgram } from './create-program.ts';

/** Every command with the words that lead to it. */
const commandsOf = (
  command: CommandUnknownOpts,
  path: readonly string[] = [],
): (readonly [string, readonly string[], CommandUnknownOpts])[] => [
  [['partnerkit', ...path].join(' '), path, command],
  // Commands of old names only say the new one.
  ...command.commands
    .filter((sub) => command.createHelp().visibleCommands(command).includes(sub))
    .flatMap((sub) => commandsOf(sub, [...path, sub.name()])),
];
const all = commandsOf(await createProgram());

/** What a command line prints before it ends in usage. */
async function printed(args: readonly string[]): Promise<string> {
  const program = await createProgram();
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  for (const [, , command] of commandsOf(program)) {
    command.configureOutput({ writeOut: write, writeErr: write }).exitOverride();
  }
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
  });
  return text;
}

const helps = new Map(
  await Promise.all(all.map(async ([name, path]) => [name, await printed([...path, '--help'])] as const)),
);

it('has the commands that the README speaks of', () => {
  expect(all.length).toBeGreaterThan(15);
});

it.each(all.map(([name]) => name))('%s --help has an example of itself, with options that there are', (name) => {
  const help = helps.get(name) ?? '';
  const [, text = ''] = help.split(/^Examples?:$/m);
  const lines = text.split('\n').filter((line) => line.includes('partnerkit'));
  expect(lines).not.toEqual([]);
  for (const line of lines) {
    expect(line).toContain(name);
    for (const [option] of line.matchAll(/--[a-z][\w-]*/g)) {
      const owner = all.find(([, path]) => path.length > 0 && line.includes(`partnerkit ${path.join(' ')} `));
      const known = all.filter(([full]) => line.includes(`${full} `) || full === owner?.[0]);
      expect(known.flatMap(([, , command]) => command.options.map(({ long }) => long))).toContain(option);
    }
  }
});

// A command that takes a file takes any word for one.
it.each(all.filter(([, , command]) => command.commands.length > 0 && command.registeredArguments.length === 0))(
  '%s suggests the nearest subcommand',
  async (_, path, command) => {
    for (const sub of command
      .createHelp()
      .visibleCommands(command)
      .filter((one) => one.name() !== 'help')) {
      const name = sub.name();
      const wrong = `${name}x`;
      expect(await printed([...path, wrong])).toMatch(/Did you mean (?:one of )?.*\?/);
    }
  },
);

it.each(all.filter(([, , command]) => command.options.length > 0))(
  '%s suggests the nearest option',
  async (_, path, command) => {
    const mandatory = command.options.flatMap(({ mandatory, long = '' }) => (mandatory ? [long, 'x'] : []));
    for (const { long } of command.options.filter(
      (option) => option.long !== undefined && option.long !== '--version',
    )) {
      expect(await printed([...path, ...mandatory, `${long}x`])).toContain(`Did you mean`);
    }
  },
);

it('--version prints the version of the package', async () => {
  expect(await printed(['--version'])).toBe(`${packageVersion()}\n`);
});
