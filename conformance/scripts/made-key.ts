import type { RuleId } from '../../spec/rules.ts';
import { replySigns } from '../contract/reply.ts';
import { open, type Request, valid } from '../contract/request.ts';
import type { Bench, Scene } from '../experiments/bench.ts';
import { examine } from '../experiments/trial.ts';
import { succeeded, type Trial } from '../history/exchange.ts';
import { nameAfter } from '../hooks/made-keys.ts';
import { lags } from '../numbers.ts';
import { carries, type KeyOfTenant, keysFor } from '../target/keys.ts';
import type { Errand } from './lawful.ts';

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
  scopes: KeyOfTenant['scopes'],
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

/** Waits until a key is served everywhere, as a new secret must be known first. How soon that must be is open. */
export async function untilServed(b: Bench, key: KeyOfTenant, errands: readonly Errand[]): Promise<void> {
  const [errand] = errands.filter(({ operation }) => carries(key, b.deployment.scopesOf(operation)));
  if (errand === undefined) return;
  const request: Request = { ...errand, who: valid(key), change: open('until it is served') };
  for (const wait of [0, ...lags]) {
    await b.sleep(wait);
    if (succeeded(await b.send(request)) || b.scene.planning) break;
  }
  await b.sleep(b.deployment.settleMilliseconds);
}

/** Revoking a key leaves others alone. If another is refused right after, that is tried again; in the control, no key is revoked before. */
export async function othersStay(b: Bench, errands: readonly Errand[]): Promise<void> {
  const rule: RuleId = 'auth/key-in-x-api-key';
  const [errand] = errands;
  const [other] = errand === undefined ? [] : keysFor(b.deployment, errand.operation);
  if (errand === undefined || other === undefined) return;
  const request: Request = { ...errand, who: valid(other) };
  const ask = async (bench: Bench, trial?: Trial) =>
    replySigns(await bench.send(request, { trial }), b.deployment, rule);
  const again = (isRevoked: boolean, sign: string) => async (alone: Bench, trial: Trial) => {
    const { revoke } = await makeKey(b.scene, []);
    await untilServed(alone, other, errands);
    if (isRevoked) await revoke();
    return (await ask(alone, trial)).includes(sign);
  };
  for (const sign of await ask(b))
    await examine(b, { rule, sign, script: again(true, sign), control: again(false, sign) });
}

/**
 * Uses a made key for all of these at once. What it may not do is refused, and what a key of the target file with no other scopes may do succeeds.
 * What does not is tried again while the key lives, beside that other key.
 */
export async function use(b: Bench, key: KeyOfTenant, errands: readonly Errand[], rule: RuleId): Promise<void> {
  const { deployment } = b;
  const asked = errands.flatMap((errand): { readonly request: Request; readonly control?: Request }[] => {
    const scopes = deployment.scopesOf(errand.operation);
    const [other] = keysFor(deployment, errand.operation).filter((one) => carries(key, one.scopes));
    if (!carries(key, scopes)) return [{ request: { ...errand, who: valid(key) } }];
    if (other === undefined) return [];
    // Whether an operation that nobody was served yet is there at all is not a question about this key.
    if (!b.has(errand.operation)) return [{ request: { ...errand, who: valid(key) } }];
    const request: Request = { ...errand, who: valid(key), successRule: rule };
    return [{ request, control: { ...errand, who: valid(other) } }];
  });
  const replies = await Promise.all(
    asked.map(async ({ request, control }) => ({ request, control, exchange: await b.send(request) })),
  );
  for (const { request, control, exchange } of replies) {
    if (control === undefined) continue;
    for (const sign of replySigns(exchange, deployment, rule))
      await examine(b, {
        rule,
        sign,
        script: async (alone, trial) =>
          replySigns(await alone.send(request, { trial }), deployment, rule).includes(sign),
        control: async (alone, trial) => !succeeded(await alone.send(control, { trial })),
      });
  }
}
