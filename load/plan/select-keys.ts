import type { Target, TargetKey } from '../../spec/files/target.ts';
import type { KeyChoice } from '../scenarios.ts';

/**
 * The keys that a scenario drives, in order, all of the first tenant.
 * @param names what the person asked for; empty leaves it to the target, where `use: limits` marks keys kept for this
 * @throws Error that says which key is missing and how to name one
 */
export function selectKeys(
  target: Pick<Target, 'tenants'>,
  choice: KeyChoice,
  names: readonly string[],
): readonly TargetKey[] {
  const tenant = target.tenants[0];
  const usable = (tenant?.keys ?? []).filter((key) => !key.revoked);
  const usableNames = usable.map(({ name }) => name).join(', ') || 'none';
  const named = names.map((name) => {
    const key = usable.find((candidate) => candidate.name === name);
    if (key === undefined)
      throw new Error(`${tenant?.name ?? 'the target'} has no usable key ${name}; it has ${usableNames}`);
    return key;
  });
  if (new Set(named).size < named.length) throw new Error('the same key is named twice; give each key once');
  if (choice === 'one' && named.length > 1) throw new Error('this scenario drives one key; give --key once');
  if (choice === 'pair' && named.length > 2) throw new Error('this scenario drives two keys; give --key at most twice');
  if (usable.length === 0) throw new Error('the first tenant has no usable key; add one to the target');
  if (choice === 'all') return named.length > 0 ? named : usable;
  const forLimits = usable.filter(({ use }) => use === 'limits');
  const first = named[0] ?? forLimits[0];
  if (first === undefined)
    throw new Error(`no key is marked "use: limits"; mark one, or give --key (one of ${usableNames})`);
  if (choice === 'one') return [first];
  const second = named[1] ?? [...forLimits, ...usable].find((key) => key !== first);
  if (second === undefined)
    throw new Error('this scenario needs a second key of the same tenant; add one to the target');
  return [first, second];
}
