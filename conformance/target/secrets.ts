import type { Target } from '../../spec/files/target.ts';
import { createRedaction, type Redaction } from '../../spec/redaction/redaction.ts';

/** The name under which a key's secret is shown, as an environment variable would be called: `$ACME_FULL_KEY`. */
export function keyPlaceholder(tenant: string, key: string): string {
  return `$${`${tenant}_${key}_KEY`.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

/** Shorter values of static headers are words like `gzip`, no secrets. */
const minHeaderSecret = 12;

/** A redaction that knows every secret of a target. */
export function redactionOf(target: Target): Redaction {
  const redaction = createRedaction();
  for (const tenant of target.tenants)
    for (const key of tenant.keys) {
      const placeholder = keyPlaceholder(tenant.name, key.name);
      redaction.add(key.secret, placeholder);
      // A part of a key is sent, too, to see that it does not authenticate.
      redaction.add(key.secret.slice(0, -1), `${placeholder}_CUT`);
    }
  for (const [name, value] of Object.entries(target.headers))
    if (value.length >= minHeaderSecret) redaction.add(value, `$${name.toUpperCase()}`);
  return redaction;
}
