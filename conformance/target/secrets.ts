import type { Target } from '../../spec/files/target.ts';
import { createRedaction, type Redaction } from '../../spec/redaction/redaction.ts';

type Named = Pick<Target, 'tenants' | 'variables'>;

/**
 * The placeholder of a secret: the environment variable from which the target file takes the secret, so that curl commands can be
 * pasted, else a made-up variable such as `$ACME_FULL_KEY`.
 */
export function keyPlaceholder({ tenants, variables = {} }: Named, tenant: number, key: number): string {
  const variable = variables[placeOfSecret(tenant, key)];
  return `$${variable ?? variableName(`${tenants[tenant]?.name}_${tenants[tenant]?.keys[key]?.name}_KEY`)}`;
}

/**
 * A shell command that can be pasted as it is. For a made-up variable that is not set, the shell prints
 * `ACME_FULL_KEY: set it to the secret of acme/full in the target file`, and sends nothing.
 */
export function explained(command: string, target: Named): string {
  const placeholders = target.tenants.flatMap(({ name, keys }, t) =>
    keys.map((key, k) => ({
      variable: keyPlaceholder(target, t, k).slice(1),
      owner: `${name}/${key.name}`.replace(/[^\w/ .-]/g, ''),
      literal: target.variables?.[placeOfSecret(t, k)] === undefined,
    })),
  );
  return placeholders.reduce(
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

/** `acme full key` -> `ACME_FULL_KEY` */
export const variableName = (words: string) => words.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

/** Characters. Shorter values of static headers are words such as `gzip`, not secrets. */
const minHeaderSecret = 12;

/** Headers whose values are no secrets, unless an environment variable holds them: replies contain the same values. */
const plainHeaders = new Set(
  'accept accept-charset accept-encoding accept-language cache-control connection content-type origin pragma user-agent'.split(
    ' ',
  ),
);

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
  for (const [place, name, value] of [
    ...Object.entries(target.headers).map((one) => ['headers', ...one] as const),
    ...Object.entries(target.upload.headers).map((one) => ['upload.headers', ...one] as const),
  ]) {
    const variable = target.variables?.[`${place}.${name}`];
    if (value.length >= minHeaderSecret && (variable !== undefined || !plainHeaders.has(name.toLowerCase())))
      redaction.add(value, `$${variable ?? variableName(name)}`);
  }
  return redaction;
}
