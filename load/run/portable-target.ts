import type { Target, TargetInput } from '../../spec/files/target.ts';

export interface PortableTarget {
  /** The target without secrets: each is a placeholder. */
  readonly target: TargetInput;
  /** Environment variables with the secrets that were taken out. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Every variable that the target asks for, in the order it does. */
  readonly variables: readonly string[];
}

/**
 * A target that may be written to disk, put into an archive or a cluster: secrets that stand in it are replaced by
 * `${PARTNERKIT_SECRET_n}`, placeholders stay as they are. Other tenants and revoked keys are left out: no scenario uses
 * them, and a machine should hold no secret that it does not need. Takes the file's own value, before any substitution.
 * @param tls the client certificate as PEM texts, since paths lead nowhere on another machine; without it, it is left out
 */
export function portableTarget({ tls: _, ...value }: TargetInput, tls?: Target['tls']): PortableTarget {
  const secrets: Record<string, string> = {};
  const tenants = value.tenants.slice(0, 1).map((tenant) => ({
    ...tenant,
    keys: tenant.keys.flatMap((key) => {
      if (key.revoked === true) return [];
      if (/^\$\{[A-Za-z_]\w*\}$/.test(key.secret)) return [key];
      const name = `PARTNERKIT_SECRET_${Object.keys(secrets).length + 1}`;
      secrets[name] = key.secret;
      return [{ ...key, secret: `\${${name}}` }];
    }),
  }));
  const { cert, key } = tls ?? {};
  if (cert !== undefined && key !== undefined)
    Object.assign(secrets, { PARTNERKIT_TLS_CERT: cert, PARTNERKIT_TLS_KEY: key });
  const target = {
    ...value,
    tenants,
    ...(cert && { tls: { cert: `\${PARTNERKIT_TLS_CERT}`, key: `\${PARTNERKIT_TLS_KEY}` } }),
  };
  const variables = [...JSON.stringify(target).matchAll(/\$\{([A-Za-z_]\w*)\}/g)].map((match) => match[1] ?? '');
  return { target, secrets, variables: [...new Set(variables)] };
}
