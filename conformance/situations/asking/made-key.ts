import type { Scope } from '../../../spec/operations.ts';
import type { Scene } from '../../experiments/scene.ts';
import { nameAfter } from '../../hooks/made-keys.ts';
import type { KeyOfTenant } from '../../target/keys.ts';

/** A key that a hook created for this run. */
interface MadeKey {
  readonly key: KeyOfTenant;
  /** The same key with a new secret. */
  regenerate(): Promise<KeyOfTenant>;
  /** The same key, revoked. */
  revoke(): Promise<KeyOfTenant>;
  /** The same key with another limit. */
  raise(limit: KeyOfTenant['rateLimit']): Promise<KeyOfTenant>;
}

const text = (value: unknown, name: string) => String((value as Readonly<Record<string, unknown>> | null)?.[name]);

export async function makeKey(
  { hook, deployment, newId }: Pick<Scene, 'hook' | 'deployment' | 'newId'>,
  scopes: readonly Scope[],
): Promise<MadeKey> {
  const name = `check-${newId().slice(0, 8)}`;
  const made = await hook('createKey', { name, scopes });
  const id = text(made, 'id');
  const key: KeyOfTenant = {
    tenant: deployment.tenant.name,
    name,
    secret: text(made, 'secret'),
    scopes: [...scopes],
    rateLimit: { perSecond: 10, burst: 20 },
    revoked: false,
  };
  let current = key;
  return {
    key,
    async regenerate() {
      current = { ...current, secret: text(await hook('regenerateKey', { id, name }), 'secret') };
      return current;
    },
    async revoke() {
      await hook('revokeKey', { id, name });
      return { ...current, name: nameAfter.revokeKey(name), revoked: true };
    },
    async raise(rateLimit) {
      await hook('raiseLimit', { id, name, ...rateLimit });
      return { ...current, name: nameAfter.raiseLimit(name), rateLimit };
    },
  };
}
