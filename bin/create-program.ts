import { Command } from '@commander-js/extra-typings';
import { ownCommand, packageVersion } from '../spec/package-facts.ts';
import { commandLine } from '../spec/text/shell-quoted.ts';

/** Each command with the file that adds its options and its action, which is loaded only to run it. */
const commands: Readonly<
  Record<string, readonly [description: string, load: () => Promise<{ define(command: Command): void }>]>
> = {
  mock: ['serve a mock of the whole partner API on this machine', () => import('./commands/mock.ts')],
  requests: ['print what a running mock has answered, and why it refused', () => import('./commands/requests.ts')],
  init: ['write a target file: a template, or what a deployment replies', () => import('./commands/init.ts')],
  conformance: ['check whether a deployment keeps the contract', () => import('./commands/conformance.ts')],
  compare: ['show where two deployments, or one and the mock, differ', () => import('./commands/fidelity/compare.ts')],
  certify: ['judge a client, with faults and allowed variations', () => import('./commands/certify.ts')],
  load: ['judge the rate limit of any deployment with k6', () => import('./commands/load.ts')],
  fidelity: ['say how like a recorded deployment the mock is', () => import('./commands/fidelity/fidelity.ts')],
  fixtures: ['write a fixture file: a tenant for the mock', () => import('./commands/fixtures.ts')],
  export: ['export all requests for Postman, Bruno and others', () => import('./commands/export.ts')],
  rules: ['list the rules of the specification, and what verifies them', () => import('./commands/rules.ts')],
  mcp: ['serve rules, mock and conformance as tools for agents (MCP)', () => import('./commands/mcp.ts')],
  doctor: ['say what this machine and a deployment lack', () => import('./commands/doctor.ts')],
};

const completion = 'print a completion script for a shell';

const help = `
Examples:
  partnerkit mock                                      # the API on http://127.0.0.1:4010
  partnerkit init target.yaml --template               # describe a deployment
  partnerkit conformance run --target target.yaml      # and check it
  partnerkit load run overload --target target.yaml    # judge its rate limit
  partnerkit certify -- npm test                       # judge your client`;

/**
 * Creates the command line. Wrong usage is thrown as CommanderError when it parses.
 * @param argv the arguments to be parsed: commands that are not in it have only a name and a description. Without it all are complete
 */
export async function createProgram(argv?: readonly string[]): Promise<Command> {
  const own = commandLine(ownCommand());
  // Examples can be pasted: they begin as this program was started.
  const runnable = (text: string) => text.replace(/^( {2}(?:\w+=\S+ )?)partnerkit /gm, `$1${own} `);
  const program = new Command('partnerkit')
    .description('A mock, a conformance runner and k6 load verdicts for the partner API, over one contract.')
    .version(packageVersion(), '--version', 'print the version')
    .showHelpAfterError('(add --help to see the options)')
    .showSuggestionAfterError()
    .configureOutput({ writeOut: (text) => void process.stdout.write(runnable(text)) })
    .exitOverride();
  for (const [name, [description, load]] of Object.entries(commands)) {
    // Created by name, because only then a command inherits the settings above.
    const command = program.command(name).description(description);
    if (argv === undefined || argv.includes(name)) (await load()).define(command);
  }
  // `complete` is what the script of a shell calls when Tab is pressed.
  if (argv === undefined || argv[0]?.startsWith('complet'))
    (await import('./completion.ts')).addCompletion(program, completion);
  else program.command('completion').description(completion);
  // The list of commands looks the same for complete commands and for placeholders.
  program.configureHelp({ subcommandTerm: (command) => command.name() });
  return program.addHelpText('after', help);
}
