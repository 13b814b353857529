import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { remedy } from '../../spec/text/nearest.ts';

/** What a command gets in its environment. */
const variables = [
  /** Where the API is, without /v1. */
  'URL',
  /** A key with every scope. */
  'KEY',
  'CONVERSATION',
  'CLOSED_CONVERSATION',
  'SITE',
  /** A site whose id is a bare number. */
  'LEGACY_SITE',
  /** A client of SITE. */
  'CLIENT',
  /** A client of LEGACY_SITE. */
  'LEGACY_CLIENT',
  /** The id of a public label that no record has, and its name. */
  'LABEL',
  'LABEL_NAME',
  /** The start of upload URLs, for clients that allow only certain hosts. */
  'STORAGE_URL',
] as const;

type Variable = (typeof variables)[number];

/** The values for one run, without ids that the tenant does not have. */
export type Values = Readonly<Partial<Record<Variable, string>>>;

/** The names of each variable: `PARTNERKIT_URL` and so on, and those chosen with `--env`. */
export type Names = Readonly<Record<Variable, readonly string[]>>;

/**
 * Adds the names of `--env URL=PARTNER_URL` to the usual ones.
 * @throws ConfigurationError for an unknown variable or a bad name
 */
export function namesOf(given: readonly string[]): Names {
  const names = new Map<string, string[]>(variables.map((name) => [name, [`PARTNERKIT_${name}`]]));
  for (const text of given) {
    const [, what = '', name = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    const known = names.get(what);
    if (known === undefined)
      throw new ConfigurationError([
        `--env ${text}: there is no ${what || 'variable before ='}; ${remedy(what, variables)}`,
      ]);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw new ConfigurationError([`--env ${text}: "${name}" cannot be the name of a variable; give ${what}=NAME`]);
    known.push(name);
  }
  return Object.fromEntries(names) as unknown as Names;
}

/** All that a client is given besides its key, each value with the name of its variable. */
export const givenBy = ({ KEY: _, ...values }: Values, names: Names): ReadonlyMap<string, string> =>
  new Map(Object.entries(values).map(([variable, value]) => [value, names[variable as Variable].at(-1) ?? '']));

/** The environment variables for a command. */
export const environmentOf = (values: Values, names: Names): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([variable, value]) => names[variable as Variable].map((name) => [name, value])),
  );
