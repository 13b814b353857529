import type { Command } from '@commander-js/extra-typings';
import { stringify } from 'yaml';
import { nodeEnvironment } from '../../conformance/index.ts';
import { discover } from '../../conformance/run/discover.ts';
import { gainsOf } from '../../conformance/scripts/missing-target-fields.ts';
import { targetTemplate } from '../../conformance/target/target-template.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { schemaComment } from '../../spec/files/schema-comment.ts';
import { parseTarget } from '../../spec/files/target.ts';
import { ownCommand, packaged } from '../../spec/package-facts.ts';
import { rules } from '../../spec/rules.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { type FlagsOf, repeatable, textOf } from '../option-values.ts';
import { writeOnce } from '../output/publish.ts';

/** In capitals, which a secret that was pasted by mistake hardly is. */
const variable = textOf(
  'the name of an environment variable, such as ACME_KEY, not the secret',
  /^[A-Z_][A-Z0-9_]{0,63}$/,
);

const named = (text: string) => [variable(text)];
const one = (text: string) => [text];

/** `partnerkit init`: writes a target file, filled in as far as the deployment's replies allow. */
export const define = (command: Command) => withOptions(command).action(start);

const withOptions = (command: Command) =>
  command
    .argument('[file]', 'file to write', 'target.yaml')
    .option('--template', 'write a commented template')
    .option('--base-url <url>', 'fill in what this deployment answers; changes nothing there')
    .addOption(repeatable('--key <variable>', 'environment variable with a key of our tenant; repeatable', named))
    .option('--limits-key <variable>', 'environment variable with a key whose rate limit checks may use up', variable)
    .addOption(repeatable('--conversation <id>', 'conversation of ours, ideally an open and a closed one', one))
    .addOption(repeatable('--stranger-key <variable>', 'the same with a key of another tenant; repeatable', named))
    .addOption(repeatable('--stranger-conversation <id>', 'conversation of the other tenant; repeatable', one))
    .option('--force', 'overwrite the file if it exists')
    .addHelpText('after', help);

type InitFlags = FlagsOf<typeof withOptions>;

const help = `
Examples:
  partnerkit init staging.yaml --template
  partnerkit init staging.yaml --base-url https://staging.example.com --key ACME_KEY --key ACME_READER_KEY \\
    --conversation 6f1c... --stranger-key GLOBEX_KEY --stranger-conversation 9a02...`;

async function start(path: string, flags: InitFlags): Promise<void> {
  const comment = schemaComment(path, packaged('spec/files/target.schema.json'));
  const { text, missing } = flags.template ? { text: targetTemplate, missing: [] } : await asked(flags);
  writeOnce(path, comment + text, flags.force);
  const fill = flags.template
    ? 'Fill it in, then show'
    : missing.length === 0
      ? 'Show'
      : `Fields to add, most useful first:\n${missing.map((line) => `  ${line}\n`).join('')}Then show`;
  const next = commandLine([...ownCommand(), 'conformance', 'run', '--target', path, '--dry-run']);
  process.stdout.write(`${path} was written. ${fill} what a run would send:\n  ${next}\n`);
}

async function asked(flags: InitFlags) {
  const { baseUrl, limitsKey } = flags;
  if (baseUrl === undefined)
    throw new ConfigurationError([
      '--base-url URL is missing: the address of the deployment; --template writes a template',
    ]);
  if (flags.key.length === 0)
    throw new ConfigurationError(['--key VARIABLE is missing: name the environment variable that has a key']);
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
  const target = parseTarget({ baseUrl, tenants: discovered }, process.env, '--base-url');
  const gains = gainsOf(target, new Set(rules.map(({ id }) => id)), false);
  const missing = [
    ...unknown.map(
      (id) =>
        `operations.${id}: its method and path here, and then the keys the scopes that it needs; or null, where there is no such operation`,
    ),
    ...gains.map(({ field }) => field),
  ];
  return { text: `${heading}${stringify({ baseUrl, tenants: discovered }, { lineWidth: 0 })}`, missing };
}

const heading = `# Filled in from the replies of a deployment. The scopes are those that it allowed. Check spareLabel: no record may have this
# label, but only conversations could be checked.
`;

/** Keys get the names of their variables: ACME_READER_KEY becomes acme-reader. */
const keysOf = (names: readonly string[], use?: 'limits') =>
  names.map((name) => ({ name: keyName(name), secret: `\${${name}}`, use }));

const keyName = (variable: string) =>
  variable
    .toLowerCase()
    .replace(/_?key$/, '')
    .replaceAll('_', '-') || 'key';
