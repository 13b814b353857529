import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { nearest } from '../../spec/text/nearest.ts';

/** The environment variables for a command, each with its meaning. */
const variables = {
  URL: 'where the API is, without /v1',
  KEY: 'a key with every scope',
  CONVERSATION: 'the id of an open conversation',
  CLOSED_CONVERSATION: 'the id of a closed conversation',
  SITE: 'the id of a site',
  LEGACY_SITE: 'the id of a site that is a bare number',
  CLIENT: 'the id of a client of SITE',
  LEGACY_CLIENT: 'the id of a client of LEGACY_SITE',
  LABEL: 'the id of a public label that no record has',
  LABEL_NAME: 'the name of that label',
  STORAGE_URL: 'the start of upload URLs, for clients that allow only certain hosts',
} as const;

type Variable = keyof typeof variables;

/** The values for one run, without ids that the tenant does not have. */
export type Values = Readonly<Partial<Record<Variable, string>>>;

/** The names of each variable: `PARTNERKIT_URL` and so on, and those chosen with `--env`. */
export type Names = Readonly<Record<Variable, readonly string[]>>;

const isVariable = (name: string): name is Variable => Object.hasOwn(variables, name);

/**
 * Adds the names of `--env URL=PARTNER_URL` to the usual ones.
 * @throws ConfigurationError for an unknown variable or a bad name
 */
export function namesOf(given: readonly string[]): Names {
  const names = Object.fromEntries(
    Object.keys(variables).map((name) => [name, [`PARTNERKIT_${name}`]]),
  ) as unknown as Record<Variable, string[]>;
  for (const text of given) {
    const [, what = '', name = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (!isVariable(what)) {
      const names = Object.keys(variables);
      const meant = nearest(what, names);
      const hint = meant === undefined ? `use ${names.join(', ')}` : `did you mean ${meant}?`;
      throw new ConfigurationError([`--env ${text}: there is no ${what || 'variable before ='}; ${hint}`]);
    }
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new ConfigurationError([`--env ${text}: "${name}" cannot be the name of a variable; give ${what}=NAME`]);
    }
    names[what].push(name);
  }
  return names;
}

/** All that a client is given besides its key, each value with the name of its variable. */
export const givenBy = (values: Values, names: Names): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(values).flatMap(([variable, value]) =>
      variable === 'KEY' ? [] : [[value, names[variable as Variable].at(-1) ?? '']],
    ),
  );

/** The environment variables for a command. */
export function environmentOf(values: Values, names: Names): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [variable, value] of Object.entries(values)) {
    for (const name of names[variable as Variable]) environment[name] = value;
  }
  return environment;
}
