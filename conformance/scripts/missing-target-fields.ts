import { hooks } from '../../spec/files/hooks.ts';
import { parseTarget, type Target, type TargetKey, type TargetTenant } from '../../spec/files/target.ts';
import { operationIds, operations } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { deploymentOf } from '../target/deployment.ts';
import { scripts } from './index.ts';
import type { Script, Unready } from './script.ts';

const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

/** A target file with all fields, from which every script can be generated. */
export const completeTarget = parseTarget(
  {
    baseUrl: 'https://example.invalid',
    tenants: ['acme', 'globex'].map((name, index) => ({
      name,
      keys: [
        {
          name: 'full',
          secret: `placeholder-${name}`,
          scopes: [...new Set(operationIds.flatMap((one) => operations[one].scopes))],
        },
        { name: 'none', secret: `placeholder-${name}-none` },
        { name: 'old', secret: `placeholder-${name}-old`, revoked: true },
        {
          name: 'limits',
          secret: `placeholder-${name}-limits`,
          scopes: ['conversation:read', 'site:write'],
          use: 'limits',
        },
      ],
      conversations: { open: id(1 + index), closed: id(3 + index) },
      sites: { current: `ovaid-${id(5 + index)}`, legacy: `1004${index}` },
      clientSite: { client: `ovcid-${id(7 + index)}`, site: `ovaid-${id(5 + index)}` },
      spareLabel: { id: id(9), name: 'spare' },
      spareLabels: [{ id: `10000000-0000-4000-8000-00000000000${index}`, name: 'second spare' }],
      privateLabels: [
        { id: `20000000-0000-4000-8000-00000000000${index}`, name: 'private', on: ['conversations.open'] },
      ],
    })),
    hooks: Object.fromEntries(Object.keys(hooks.shape).map((name) => [name, 'true'])),
  },
  {},
  'completeTarget',
);

const readyOf = (all: Iterable<Script | Unready>) => [...all].flatMap((one) => ('missing' in one ? [] : [one]));

/** The scripts that give evidence for a rule, with a complete target file. */
export const scriptsTrying = (rule: RuleId): { readonly id: string; readonly title: string }[] =>
  readyOf(scripts(deploymentOf(completeTarget))).filter(({ tries }) => tries.includes(rule));

/**
 * The missing fields that would give evidence, such as `tenants[0].sites.current`, the most useful first, with the rules that would get evidence, and
 * the number of scripts that would run. Each gain counts only what it adds to those before it.
 * @param rules without evidence
 * @param selected rules that are judged at all
 */
export function gainsOf(
  target: Target,
  rules: ReadonlySet<RuleId>,
  allowLeftovers: boolean,
  selected: ReadonlySet<RuleId> = rules,
) {
  const stateOf = (file: Target) => {
    const all = [...scripts(deploymentOf(file))].filter(({ tries }) => tries.some((rule) => selected.has(rule)));
    const ready = readyOf(all).filter(
      ({ slow, writes }) => !(slow || writes === 'risk' || (writes === 'leftovers' && !allowLeftovers)),
    );
    return { ready, unready: all.filter((one) => 'missing' in one) };
  };
  const gains: { readonly field: string; readonly rules: readonly RuleId[]; readonly scripts: number }[] = [];
  for (let [file, left] = [target, [...rules]]; ; ) {
    const before = stateOf(file);
    // If a script of the same kind gave no evidence for a rule, another one will not either.
    const tried = new Set(
      before.ready.flatMap(({ id, tries }) => tries.flatMap((rule) => [rule, `${kindOf(id)} ${rule}`])),
    );
    const [best] = [...additionsTo(file)]
      .map(({ field, file: fuller }) => {
        const after = stateOf(fuller);
        const granted = before.unready.filter(({ id }) => !after.unready.some((one) => one.id === id));
        const gained = new Set([
          ...after.ready.flatMap(({ tries }) => tries.filter((rule) => !tried.has(rule))),
          ...granted.flatMap(({ id, tries }) => tries.filter((rule) => !tried.has(`${kindOf(id)} ${rule}`))),
        ]);
        const added = after.ready.length - before.ready.length;
        return { fuller, gain: { field, rules: left.filter((rule) => gained.has(rule)), scripts: added } };
      })
      .sort(({ gain: a }, { gain: b }) => b.rules.length - a.rules.length || b.scripts - a.scripts);
    if (best === undefined || (best.gain.rules.length === 0 && best.gain.scripts <= 0)) return gains;
    gains.push(best.gain);
    [file, left] = [best.fuller, left.filter((rule) => !best.gain.rules.includes(rule))];
  }
}

/** `labels/life` of `labels/life/closed-conversation`. */
const kindOf = (id: string) => id.slice(0, id.lastIndexOf('/'));

const kindOfKey = ({ scopes, revoked, use }: TargetKey) => {
  if (revoked || use) return revoked ? 'a revoked key' : `a key with use: ${use}`;
  return scopes.length === 0 ? 'a key without scopes' : scopes.length >= 7 ? 'a key with every scope' : null;
};

/** What the complete target file has and this one lacks, field by field, and the file with it. */
function* additionsTo(target: Target): Generator<{ readonly field: string; readonly file: Target }> {
  const { tenants } = target;
  const another = completeTarget.tenants[1] as TargetTenant;
  for (const [index, tenant] of tenants.entries()) {
    const { name: _, keys, ...full } = completeTarget.tenants[index] ?? another;
    const added = (field: string, more: Partial<TargetTenant>) => ({
      field: `tenants[${index}].${field}`,
      file: { ...target, tenants: tenants.with(index, { ...tenant, ...more }) },
    });
    for (const group of ['conversations', 'sites'] as const)
      for (const [name, value] of Object.entries(full[group] ?? {}))
        if (!Object.hasOwn(tenant[group] ?? {}, name))
          yield added(`${group}.${name}`, { [group]: { ...tenant[group], [name]: value } });
    for (const field of ['clientSite', 'spareLabel', 'spareLabels', 'privateLabels'] as const)
      if (tenant[field] === undefined && !(field === 'privateLabels' && tenant.privateLabel))
        yield added(field, { [field]: full[field] });
    for (const key of keys.filter((one) => !tenant.keys.some((other) => kindOfKey(other) === kindOfKey(one))))
      yield added(`keys: ${kindOfKey(key)}`, { keys: [...tenant.keys, key] });
  }
  if (tenants.length === 1)
    yield {
      field: 'tenants[1], another tenant, with keys and records of its own',
      file: { ...target, tenants: [...tenants, another] },
    };
}
