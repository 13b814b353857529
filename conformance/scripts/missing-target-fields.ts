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
  for (let left = additionsTo(target); left.length > 0; ) {
    const kinds = new Set(before.ready.flatMap(({ id, tries }) => tries.map((rule) => `${kindOf(id)} ${rule}`)));
    const tried = left.map((addition) => {
      const after = stateOf(addition.addTo(before.target));
      const granted = before.unready.filter(({ id }) => !after.unready.some((one) => one.id === id));
      // If a script of the same kind gave no evidence for the rule, another one will not either.
      const isNew = (rule: RuleId) =>
        !before.tried.has(rule) ||
        granted.some(({ id, tries }) => tries.includes(rule) && !kinds.has(`${kindOf(id)} ${rule}`));
      const gained = [...open].filter((rule) => after.tried.has(rule) && isNew(rule));
      return { addition, after, rules: gained, scripts: after.ready.length - before.ready.length };
    });
    tried.sort((a, b) => b.rules.length - a.rules.length || b.scripts - a.scripts);
    const [best] = tried;
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

/** A missing field of a target file, with an example value. */
interface Addition {
  readonly field: string;
  readonly addTo: (target: Target) => Target;
}

const another = 'tenants[1], another tenant, with keys and records of its own';

function additionsTo({ tenants }: Target): Addition[] {
  const [, theirs] = completeTarget.tenants as [TargetTenant, TargetTenant];
  return [
    ...tenants.flatMap((tenant, index) => additionsToTenant(tenant, completeTarget.tenants[index] ?? theirs, index)),
    ...(tenants.length > 1
      ? []
      : [{ field: another, addTo: (target: Target) => ({ ...target, tenants: [...target.tenants, theirs] }) }]),
  ];
}

const fields = [
  ['conversations', 'open'],
  ['conversations', 'closed'],
  ['sites', 'current'],
  ['sites', 'legacy'],
  ['clientSite'],
  ['spareLabel'],
  ['spareLabels'],
  ['privateLabels'],
] as const;

const keys: readonly (readonly [words: string, fits: (key: TargetKey) => boolean])[] = [
  ['a key with every scope', ({ scopes }) => scopes.length >= 7],
  ['a key without scopes', ({ scopes, revoked, use }) => scopes.length === 0 && !revoked && !use],
  ['a revoked key', ({ revoked }) => revoked],
  ['a key with use: limits', ({ use }) => use === 'limits'],
];

/** @param full a tenant with all fields */
function additionsToTenant(tenant: TargetTenant, full: TargetTenant, index: number): Addition[] {
  const addition = (field: string, change: (before: TargetTenant) => TargetTenant): Addition => ({
    field: `tenants[${index}].${field}`,
    addTo: (target) => ({ ...target, tenants: target.tenants.map((one, i) => (i === index ? change(one) : one)) }),
  });
  const valueIn = (one: TargetTenant, [group, name]: readonly string[]) => {
    const value = (one as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[group ?? ''];
    return name === undefined ? value : value?.[name];
  };
  const isLacking = (field: readonly string[]) =>
    valueIn(tenant, field) === undefined && !(field[0] === 'privateLabels' && tenant.privateLabel);
  return [
    ...fields.filter(isLacking).map((field) => {
      const [group, name] = field;
      const value = valueIn(full, field);
      return addition(field.join('.'), (before) => ({
        ...before,
        [group]: name === undefined ? value : { ...before[group], [name]: value },
      }));
    }),
    ...keys
      .filter(([, fits]) => !tenant.keys.some(fits))
      .flatMap(([words, fits]) =>
        full.keys
          .filter(fits)
          .map((key) => addition(`keys: ${words}`, (before) => ({ ...before, keys: [...before.keys, key] }))),
      ),
  ];
}
