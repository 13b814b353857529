import type { Target, TargetKey } from '../../spec/files/target.ts';
import type { Scope } from '../../spec/operations.ts';
import type { HookCall } from '../history/hook-call.ts';

/** A key gets a new name when it changes, so that every exchange names the key in the state of that time. */
export const nameAfter = {
  regenerateKey: (name: string) => `${name}, renewed`,
  revokeKey: (name: string) => `${name}, revoked`,
  raiseLimit: (name: string) => `${name}, raised`,
} as const;

/** The target with the keys that hooks of this run made, so that laws judge requests with these keys like all others. */
export function withMadeKeys(target: Target, calls: readonly HookCall[]): Target {
  if (calls.length === 0) return target;
  return {
    ...target,
    tenants: target.tenants.map((tenant) => ({
      ...tenant,
      keys: [
        ...tenant.keys,
        ...calls.filter((call) => call.tenant === tenant.name).flatMap((call) => keyAfter(call, calls)),
      ],
    })),
  };
}

function keyAfter({ hook, input, failure, tenant }: HookCall, calls: readonly HookCall[]): TargetKey[] {
  const name = String(input.name);
  const made = calls.find((call) => call.hook === 'createKey' && call.tenant === tenant && call.input.name === name);
  const isChanged = hook === 'regenerateKey' || hook === 'revokeKey' || hook === 'raiseLimit';
  if (failure !== null || made === undefined || (hook !== 'createKey' && !isChanged)) return [];
  const [perSecond, burst] = hook === 'raiseLimit' ? [Number(input.perSecond), Number(input.burst)] : [10, 20];
  return [
    {
      name: isChanged ? nameAfter[hook](name) : name,
      secret: '',
      scopes: [...((made.input.scopes as readonly Scope[] | undefined) ?? [])],
      rateLimit: { perSecond, burst },
      revoked: hook === 'revokeKey',
    },
  ];
}
