import type { Target } from '../../spec/files/target.ts';
import { createRedaction, type Redaction } from '../../spec/redaction/redaction.ts';

type Named = Pick<Target, 'tenants' | 'variables'>;

/**
 * The name under which a key's secret is shown: that of the variable that the target file takes it from, so that curl lines can be
 * pasted; else as a variable would be called, `$ACME_FULL_KEY`.
 */
export function keyPlaceholder({ tenants, variables = {} }: Named, tenant: number, key: number): string {
  const variable = variables[placeOfSecret(tenant, key)];
  return `$${variable ?? variableName(`${tenants[tenant]?.name}_${tenants[tenant]?.keys[key]?.name}_KEY`)}`;
}

/**
 * A shell command that can be pasted as it stands. A secret that is written in the target file itself is in no variable: where that is
 * not set, the shell says `ACME_FULL_KEY: set it to the secret of acme/full in the target file`, and sends nothing.
 */
export function explained(command: string, target: Named): string {
  const keys = target.tenants.flatMap(({ name, keys: those }, t) =>
    those.map((key, k) => ({
      variable: keyPlaceholder(target, t, k).slice(1),
      owner: `${name}/${key.name}`.replace(/[^\w/ .-]/g, ''),
      literal: target.variables?.[placeOfSecret(t, k)] === undefined,
    })),
  );
  return keys.reduce(
    (text, { variable, owner, literal }) =>
      text
        // Requests also send the key without its last character.
        .replaceAll(`$${variable}_CUT`, `\${${variable}%?}`)
        .replace(new RegExp(`\\$${variable}(?!\\w)`, 'g'), (name) =>
          literal ? `\${${variable}:?set it to the secret of ${owner} in the target file}` : name,
        ),
    command,
  );
}

const placeOfSecret = (tenant: number, key: number) => `tenants[${tenant}].keys[${key}].secret`;

/** Words as a variable of the environment would be called. */
export const variableName = (words: string) => words.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

/** Shorter values of static headers are words like `gzip`, no secrets. */
const minHeaderSecret = 12;

/** A redaction that knows every secret of a target. */
export function redactionOf(target: Target): Redaction {
  const redaction = createRedaction();
  for (const [t, tenant] of target.tenants.entries())
    for (const [k, { secret }] of tenant.keys.entries()) {
      const placeholder = keyPlaceholder(target, t, k);
      redaction.add(secret, placeholder);
      // Requests also send a part of a key, to check that the part does not authenticate.
      redaction.add(secret.slice(0, -1), `${placeholder}_CUT`);
    }
  for (const [name, value] of Object.entries(target.headers))
    if (value.length >= minHeaderSecret)
      redaction.add(value, `$${target.variables?.[`headers.${name}`] ?? variableName(name)}`);
  return redaction;
}
