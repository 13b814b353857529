import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Command, Option } from '@commander-js/extra-typings';
import { stringify } from 'yaml';
import { nodeEnvironment } from '../../conformance/index.ts';
import { discover, type FoundTenant } from '../../conformance/run/discover.ts';
import { gainsOf } from '../../conformance/scripts/missing-target-fields.ts';
import { targetTemplate } from '../../conformance/target/target-template.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { schemaComment } from '../../spec/files/schema-comment.ts';
import { parseTarget } from '../../spec/files/target.ts';
import { ownCommand, packaged } from '../../spec/package-facts.ts';
import { rules } from '../../spec/rules.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { type FlagsOf, parser } from '../option-values.ts';
import { writeOnce } from '../output/publish.ts';

const variable = parser('the name of an environment variable, such as ACME_KEY, not the secret', (text) =>
  isVariable(text) ? text : undefined,
);

/** `partnerkit init`: writes a target file, filled in as far as the deployment's replies allow. Without options it asks for them. */
export const define = (command: Command) => withOptions(command).action(start);

const withOptions = (command: Command) =>
  command
    .argument('[file]', 'file to write; default: target.yaml')
    .option('--template', 'write a commented template')
    .option('--base-url <url>', 'fill in what this deployment answers; changes nothing there')
    .addOption(
      list('--key <variable>', 'environment variable with a key of the tenant under test; repeatable', variable),
    )
    .option('--limits-key <variable>', 'environment variable with a key whose rate limit checks may use up', variable)
    .addOption(list('--conversation <id>', 'conversation of that tenant, ideally an open and a closed one; repeatable'))
    .addOption(
      list('--stranger-key <variable>', 'environment variable with a key of another tenant; repeatable', variable),
    )
    .addOption(list('--stranger-conversation <id>', 'conversation of the other tenant; repeatable'))
    .option('--force', 'overwrite the file if it exists')
    .addHelpText('after', help);

type InitFlags = FlagsOf<typeof withOptions>;

const help = `
Examples:
  partnerkit init
  partnerkit init staging.yaml --template
  partnerkit init staging.yaml --base-url https://staging.example.com --key ACME_KEY --key ACME_READER_KEY \\
    --conversation 6f1c... --stranger-key GLOBEX_KEY --stranger-conversation 9a02...`;

async function start(named: string | undefined, given: InitFlags): Promise<void> {
  const isGiven = given.template || given.baseUrl !== undefined || given.key.length > 0;
  const { file, flags } = isGiven ? { file: named, flags: given } : await ask(named, given.force === true);
  const { baseUrl, force } = flags;
  const path = file ?? fallback;
  const comment = schemaComment(path, packaged('spec/files/target.schema.json'));
  const { text, missing } = flags.template ? { text: targetTemplate, missing: [] } : await asked(baseUrl, flags);
  writeOnce(path, comment + text, force);
  const fill = flags.template
    ? 'Fill it in, then show'
    : missing.length === 0
      ? 'Show'
      : `Fields to add, most useful first:\n${missing.map((line) => `  ${line}\n`).join('')}Then show`;
  const next = commandLine([...ownCommand(), 'conformance', 'run', '--target', path, '--dry-run']);
  process.stdout.write(`${path} was written. ${fill} what a run would send:\n  ${next}\n`);
}

async function asked(baseUrl: string | undefined, flags: InitFlags) {
  if (baseUrl === undefined) throw new ConfigurationError(['--base-url URL is missing: the address of the deployment']);
  if (flags.key.length === 0)
    throw new ConfigurationError(['--key VARIABLE is missing: name the environment variable that has a key']);
  const { limitsKey } = flags;
  const tenants = [
    {
      name: 'ours',
      keys: [...keysOf(flags.key), ...keysOf(limitsKey === undefined ? [] : [limitsKey], 'limits')],
      conversations: flags.conversation,
    },
    ...(flags.strangerKey.length > 0
      ? [{ name: 'theirs', keys: keysOf(flags.strangerKey), conversations: flags.strangerConversation }]
      : []),
  ];
  using environment = nodeEnvironment();
  const { tenants: discovered, unknown } = await discover(baseUrl, tenants, environment);
  const target = parseTarget({ baseUrl, tenants: discovered }, {}, '--base-url');
  const gains = gainsOf(target, new Set(rules.map(({ id }) => id)), false);
  const missing = [
    ...unknown.map(
      (id) =>
        `operations.${id}: its method and path here, and then the keys the scopes that it needs; or null, where there is no such operation`,
    ),
    ...gains.map(({ field }) => field),
  ];
  const named = discovered.map((tenant) => withVariables(tenant, flags));
  return { text: `${heading}${stringify({ baseUrl, tenants: named }, { lineWidth: 0 })}`, missing };
}

const heading = `# Filled in from the replies of a deployment. The scopes are those that it allowed. Check spareLabel: no record may have this
# label, but only conversations could be checked.
`;

/** Keys get the names of their variables: ACME_READER_KEY becomes acme-reader. */
function keysOf(names: readonly string[], use?: 'limits') {
  const unset = names.filter((name) => !process.env[name]);
  if (unset.length > 0) throw new ConfigurationError(unset.map((name) => `environment variable ${name} is not set`));
  return names.map((name) => ({ name: keyName(name), secret: process.env[name] ?? '', use }));
}

const keyName = (variable: string) =>
  variable
    .toLowerCase()
    .replace(/_?key$/, '')
    .replaceAll('_', '-') || 'key';

/** Replaces secrets by the names of their variables. */
function withVariables(tenant: FoundTenant, { key, limitsKey, strangerKey }: InitFlags): FoundTenant {
  const names = [...key, ...(limitsKey === undefined ? [] : [limitsKey]), ...strangerKey];
  return {
    ...tenant,
    keys: tenant.keys.map((one) => ({ ...one, secret: `\${${names.find((name) => keyName(name) === one.name)}}` })),
  };
}

const list = <const Flags extends string>(flags: Flags, description: string, parse = (value: string) => value) =>
  new Option(flags, description)
    .default([], 'none')
    .argParser((value: string, before: readonly string[]): readonly string[] => [...before, parse(value)]);

const fallback = 'target.yaml';

/** Asks for the options of `partnerkit init` one by one. @param named the file, if it was given */
async function ask(
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
const isVariable = (text: string): boolean => /^[A-Za-z_]\w{0,63}$/.test(text) && text === text.toUpperCase();
