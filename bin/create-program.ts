import { Command } from 'commander';
import { packageVersion } from '../spec/package-facts.ts';
import { addExamples } from './add-examples.ts';

interface CommandOfOurs {
  readonly description: string;
  /** Loads the function that adds options and an action to the command. */
  readonly define: () => Promise<(command: Command) => void>;
}

const commands: Readonly<Record<string, CommandOfOurs>> = {
  mock: {
    description: 'serve the whole partner API offline, from seeded tenants',
    define: () => import('./commands/mock.ts').then((module) => module.mockCommand),
  },
  init: {
    description: 'ask what a target file needs, ask the deployment for the rest, and write it',
    define: () => import('./commands/init.ts').then((module) => module.initCommand),
  },
  conformance: {
    description: 'check whether a deployment keeps the contract, rule by rule',
    define: () => import('./commands/conformance.ts').then((module) => module.conformanceCommand),
  },
  certify: {
    description: 'run a client against mocks that go wrong and take liberties, and judge what it sends',
    define: () => import('./commands/certify.ts').then((module) => module.certifyCommand),
  },
  load: {
    description: 'judge the rate limit of any deployment with k6',
    define: () => import('./commands/load.ts').then((module) => module.loadCommand),
  },
  fixtures: {
    description: 'make tenants to serve',
    define: () => import('./commands/fixtures.ts').then((module) => module.fixturesCommand),
  },
  export: {
    description: 'write every request of a running mock for Postman, Bruno and others, with its ids and fake keys',
    define: () => import('./commands/export.ts').then((module) => module.exportCommand),
  },
  rules: {
    description: 'List every rule of the specification, with its provenance and how it is verified.',
    define: () => import('./commands/rules.ts').then((module) => module.rulesCommand),
  },
  mcp: {
    description: 'serve rules, journal and conformance to agents (Model Context Protocol, over stdin and stdout)',
    define: () => import('./commands/mcp.ts').then((module) => module.mcpCommand),
  },
  doctor: {
    description: 'check that this machine, and a deployment, have what partnerkit needs; says what to do',
    define: () => import('./commands/doctor.ts').then((module) => module.doctorCommand),
  },
  completion: {
    description: 'print a script with which a shell completes commands and options',
    define: () => import('./commands/completion.ts').then((module) => module.completionCommand),
  },
};

/**
 * The command line, with nothing parsed yet. Errors of usage are thrown as CommanderError.
 * @param argv what will be parsed: a command that is not in it has nothing but its name and description. All of them are whole without it
 */
export async function createProgram(argv?: readonly string[]): Promise<Command> {
  const program = new Command('partnerkit')
    .description('A mock, a conformance runner and k6 load verdicts for the partner API, over one contract.')
    .version(packageVersion(), '--version', 'print the version')
    .showHelpAfterError('(add --help to see the options)')
    .showSuggestionAfterError()
    .exitOverride();
  for (const [name, { description, define }] of Object.entries(commands)) {
    // Commands inherit the settings above, so they are added by name here and not as finished objects.
    const command = program.command(name).description(description);
    if (argv === undefined || argv.includes(name)) (await define())(command);
  }
  // These settings apply to complete commands and to placeholders alike.
  program.configureHelp({ subcommandTerm: (command) => command.name() });
  addExamples(program);
  return program;
}
