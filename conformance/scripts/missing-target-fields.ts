import type { Target, TargetKey, TargetTenant } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { deploymentOf } from '../target/deployment.ts';
import { completeTarget } from './complete-target.ts';
import { scripts } from './index.ts';

/** A field that a target file lacks, and what it would add to the gains before it. */
interface Gain {
  /** `tenants[0].sites.current`. */
  readonly field: string;
  /** Rules that would get evidence. */
  readonly rules: readonly RuleId[];
  /** Additional scripts that would run. */
  readonly scripts: number;
}

/** The scripts that give evidence for a rule, with a complete target file. */
export const scriptsTrying = (rule: RuleId): { readonly id: string; readonly title: string }[] =>
  [...scripts(deploymentOf(completeTarget))].flatMap((one) =>
    'missing' in one || !one.tries.includes(rule) ? [] : [{ id: one.id, title: one.title }],
  );

/**
 * The missing fields that would give evidence, the most useful first. Each gain counts only what it adds to those before it.
 * @param rules without evidence
 * @param selected rules that are judged at all
 */
export function gainsOf(
  target: Target,
  rules: ReadonlySet<RuleId>,
  allowLeftovers: boolean,
  selected: ReadonlySet<RuleId> = rules,
): Gain[] {
  const stateOf = (one: Target) => {
    const all = [...scripts(deploymentOf(one))].filter(({ tries }) => tries.some((rule) => selected.has(rule)));
    const ready = all.filter(
      (script) =>
        !('missing' in script || script.slow || script.writes === 'risk') &&
        (allowLeftovers || script.writes !== 'leftovers'),
    );
    const unready = all.filter((script) => 'missing' in script);
    return { target: one, ready, unready, tried: new Set(ready.flatMap(({ tries }) => tries)) };
  };
  const gains: Gain[] = [];
  const open = new Set(rules);
  let before = stateOf(target);
  let left = additionsTo(target);
  while (left.length > 0) {
    const kinds = new Set(before.ready.flatMap(({ id, tries }) => tries.map((rule) => `${kindOf(id)} ${rule}`)));
    const [best] = left
      .map((addition) => {
        const after = stateOf(addition.addTo(before.target));
        const granted = before.unready.filter(({ id }) => !after.unready.some((one) => one.id === id));
        // If a script of the same kind gave no evidence for the rule, another one will not either.
        const isNew = (rule: RuleId) =>
          !before.tried.has(rule) ||
          granted.some(({ id, tries }) => tries.includes(rule) && !kinds.has(`${kindOf(id)} ${rule}`));
        const gained = [...open].filter((rule) => after.tried.has(rule) && isNew(rule));
        return { addition, after, rules: gained, scripts: after.ready.length - before.ready.length };
      })
      .sort((a, b) => b.rules.length - a.rules.length || b.scripts - a.scripts);
    if (best === undefined || (best.rules.length === 0 && best.scripts <= 0)) break;
    gains.push({ field: best.addition.field, rules: best.rules, scripts: best.scripts });
    for (const rule of best.rules) open.delete(rule);
    before = best.after;
    left = left.filter((addition) => addition !== best.addition);
  }
  return gains;
}

/** `labels/life` of `labels/life/closed-conversation`. */
const kindOf = (id: string) => id.slice(0, id.lastIndexOf('/'));

const kindOfKey = ({ scopes, revoked, use }: TargetKey) => {
  if (revoked || use) return revoked ? 'a revoked key' : `a key with use: ${use}`;
  return scopes.length === 0 ? 'a key without scopes' : scopes.length >= 7 ? 'a key with every scope' : null;
};

/** What the complete target file has and this one lacks, field by field. */
function additionsTo({ tenants }: Target): { readonly field: string; readonly addTo: (target: Target) => Target }[] {
  const [, another] = completeTarget.tenants as [TargetTenant, TargetTenant];
  const ofTenant = (tenant: TargetTenant, index: number) => {
    const { name: _, keys, ...full } = completeTarget.tenants[index] ?? another;
    const addition = (field: string, change: (before: TargetTenant) => Partial<TargetTenant>) => ({
      field: `tenants[${index}].${field}`,
      addTo: (target: Target) => ({
        ...target,
        tenants: target.tenants.map((one, i) => (i === index ? { ...one, ...change(one) } : one)),
      }),
    });
    const fields = (Object.keys(full) as (keyof typeof full)[]).flatMap((group) => {
      if (group !== 'conversations' && group !== 'sites') {
        const isThere = tenant[group] !== undefined || (group === 'privateLabels' && tenant.privateLabel);
        return isThere ? [] : [addition(group, () => ({ [group]: full[group] }))];
      }
      return Object.entries(full[group] ?? {})
        .filter(([name]) => !Object.hasOwn(tenant[group] ?? {}, name))
        .map(([name, value]) => addition(`${group}.${name}`, (one) => ({ [group]: { ...one[group], [name]: value } })));
    });
    const missingKeys = keys.filter((key) => !tenant.keys.some((one) => kindOfKey(one) === kindOfKey(key)));
    return [
      ...fields,
      ...missingKeys.map((key) => addition(`keys: ${kindOfKey(key)}`, (one) => ({ keys: [...one.keys, key] }))),
    ];
  };
  const field = 'tenants[1], another tenant, with keys and records of its own';
  const addTo = (target: Target) => ({ ...target, tenants: [...target.tenants, another] });
  return [...tenants.flatMap(ofTenant), ...(tenants.length > 1 ? [] : [{ field, addTo }])];
}
