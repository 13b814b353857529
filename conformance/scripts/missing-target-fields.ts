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

/** A missing field of a target file, with an example value. */
interface Addition {
  readonly field: string;
  addTo(target: Target): Target;
}

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
    const wanting = new Map(all.flatMap((script) => ('missing' in script ? [[script.id, script]] : [])));
    return { target: one, ready, fed: new Set(ready.flatMap(({ tries }) => tries)), wanting };
  };
  const gains: Gain[] = [];
  const open = new Set(rules);
  let before = stateOf(target);
  for (let left = additionsTo(target); left.length > 0; ) {
    const tried = left.map((addition) => {
      const after = stateOf(addition.addTo(before.target));
      const granted = [...before.wanting.values()].filter(({ id }) => !after.wanting.has(id));
      // If a script of the same kind gave no evidence for the rule, another one will not either.
      const isNew = (rule: RuleId) =>
        !before.fed.has(rule) ||
        granted.some(
          ({ id, tries }) =>
            tries.includes(rule) &&
            !before.ready.some((one) => kindOf(one.id) === kindOf(id) && one.tries.includes(rule)),
        );
      const rules = [...open].filter((rule) => after.fed.has(rule) && isNew(rule));
      return { addition, after, rules, scripts: after.ready.length - before.ready.length };
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

function additionsTo({ tenants }: Target): Addition[] {
  const [tenant, stranger] = tenants;
  const [ours, theirs] = completeTarget.tenants;
  return [
    ...(tenant && ours ? additionsToTenant(tenant, ours, 0) : []),
    ...(stranger && theirs ? additionsToTenant(stranger, theirs, 1) : []),
    ...(stranger === undefined && theirs
      ? [
          {
            field: 'tenants[1], another tenant, with keys and records of its own',
            addTo: (target: Target) => ({ ...target, tenants: [...target.tenants, theirs] }),
          },
        ]
      : []),
  ];
}

const records = [
  ['conversations', 'open'],
  ['conversations', 'closed'],
  ['sites', 'current'],
  ['sites', 'legacy'],
] as const;

const whole = ['clientSite', 'spareLabel', 'spareLabels', 'privateLabels'] as const;

/** @param full a tenant with all fields */
function additionsToTenant(tenant: TargetTenant, full: TargetTenant, index: number): Addition[] {
  const place = `tenants[${index}]`;
  const addition = (field: string, change: (before: TargetTenant) => TargetTenant): Addition => ({
    field: `${place}.${field}`,
    addTo: (target) => ({ ...target, tenants: target.tenants.map((one, i) => (i === index ? change(one) : one)) }),
  });
  const keyAddition = (words: string, fits: (key: TargetKey) => boolean) =>
    tenant.keys.some(fits)
      ? []
      : full.keys
          .filter(fits)
          .map((key) => addition(`keys: ${words}`, (before) => ({ ...before, keys: [...before.keys, key] })));
  return [
    ...records.flatMap(([group, name]) =>
      (tenant[group] as Readonly<Record<string, unknown>> | undefined)?.[name] === undefined
        ? [
            addition(`${group}.${name}`, (before) => ({
              ...before,
              [group]: { ...before[group], [name]: (full[group] as Readonly<Record<string, unknown>>)[name] },
            })),
          ]
        : [],
    ),
    ...whole.flatMap((name) =>
      tenant[name] === undefined && !(name === 'privateLabels' && tenant.privateLabel)
        ? [addition(name, (before) => ({ ...before, [name]: full[name] }))]
        : [],
    ),
    ...keyAddition('a key with every scope', ({ scopes }) => scopes.length >= 7),
    ...keyAddition('a key without scopes', ({ scopes, revoked, use }) => scopes.length === 0 && !revoked && !use),
    ...keyAddition('a revoked key', ({ revoked }) => revoked),
    ...keyAddition('a key with use: limits', ({ use }) => use === 'limits'),
  ];
}
