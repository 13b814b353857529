import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { nearest } from '../../spec/text/nearest.ts';

/** What a command is told, each by an environment variable, and what it is. */
export const variables = {
  URL: 'where the API is, without /v1',
  KEY: 'a key with every scope',
  CONVERSATION: 'the id of an open conversation',
  CLOSED_CONVERSATION: 'the id of a closed one',
  SITE: 'the id of a site',
  LEGACY_SITE: 'the id of a site that is a bare number',
  CLIENT: 'the id of a client of SITE',
  LEGACY_CLIENT: 'the id of a client of LEGACY_SITE',
  LABEL: 'the id of a public label that nothing carries',
  LABEL_NAME: 'its name',
  STORAGE_URL: 'where upload URLs lead, for those that allow certain hosts only',
} as const;

type Variable = keyof typeof variables;

/** What a run gives its command; ids that the tenant does not have are left out. */
export type Values = Readonly<Partial<Record<Variable, string>>>;

/** Under which name each variable is given: `PARTNERKIT_URL` and so on, unless a name was chosen. */
export type Names = Readonly<Record<Variable, readonly string[]>>;

const isVariable = (name: string): name is Variable => Object.hasOwn(variables, name);

/**
 * The names of `--env URL=PARTNER_URL`; the usual ones stay.
 * @throws ConfigurationError with what is wrong
 */
export function namesOf(given: readonly string[]): Names {
  const names = Object.fromEntries(
    Object.keys(variables).map((name) => [name, [`PARTNERKIT_${name}`]]),
  ) as unknown as Record<Variable, string[]>;
  for (const text of given) {
    const [, what = '', name = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (!isVariable(what)) {
      const known = Object.keys(variables);
      const meant = nearest(what, known);
      const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`;
      throw new ConfigurationError([`--env ${text}: there is no ${what || 'variable before ='}; ${hint}`]);
    }
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new ConfigurationError([`--env ${text}: "${name}" is no name of a variable; give ${what}=NAME`]);
    }
    names[what].push(name);
  }
  return names;
}

/** The environment of a command. */
export function environmentOf(values: Values, names: Names): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [variable, value] of Object.entries(values)) {
    for (const name of names[variable as Variable]) environment[name] = value;
  }
  return environment;
}
