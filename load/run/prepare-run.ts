import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { type Environment, parseTarget, type Target, type TargetInput } from '../../spec/files/target.ts';
import { readYamlFile } from '../../spec/files/yaml-file.ts';
import type { Limit } from '../../spec/limiter/limit.ts';
import { packaged } from '../../spec/packaged.ts';
import { labelWork } from '../plan/label-objects.ts';
import { type PlannedTraffic, plannedTraffic } from '../plan/planned-traffic.ts';
import { type Allowance, refusals } from '../plan/refusals.ts';
import type { ScenarioPlan } from '../plan/scenario-plan.ts';
import { selectKeys } from '../plan/select-keys.ts';
import { uploadWork } from '../plan/upload-work.ts';
import { scenarioPlan, scenarioPlans } from '../scenarios/all.ts';
import { type PortableTarget, portableTarget } from './portable-target.ts';

interface Wanted {
  readonly scenario: string;
  /** The target file, YAML or JSON. */
  readonly file: string;
  readonly keys: readonly string[];
  /** Seconds of the main phase. */
  readonly duration?: number | undefined;
  readonly allowance: Allowance;
}

export interface PreparedRun {
  readonly plan: ScenarioPlan;
  readonly target: Target;
  readonly portable: PortableTarget;
  readonly traffic: PlannedTraffic;
  /** Of the keys that are used. */
  readonly limits: readonly Limit[];
  /** What the scenario reads besides the target: `-e` of k6. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Checks everything that can be checked before anything is sent: scenario, target, keys, what the person allowed.
 * @throws ConfigurationError with every reason against it
 */
export function prepareRun({ scenario, file, keys, duration, allowance }: Wanted, env: Environment): PreparedRun {
  const plan = scenarioPlan(scenario);
  if (plan === undefined) {
    throw new ConfigurationError([
      `there is no scenario ${scenario}; use one of ${scenarioPlans.map(({ name }) => name).join(', ')}`,
    ]);
  }
  const value = readYamlFile(file);
  const target = parseTarget(value, env, file);
  const limits = usedLimits(plan, target, keys, file);
  const traffic = plannedTraffic(plan, limits, duration);
  const refused = refusals(plan, traffic, target.baseUrl, allowance);
  if (refused.length > 0) throw new ConfigurationError(refused);
  return {
    plan,
    target,
    portable: portableTarget(value as TargetInput, target.tls),
    traffic,
    limits,
    settings: {
      SCENARIO: plan.name,
      ...(duration !== undefined && { DURATION: String(duration) }),
      ...(keys.length > 0 && { KEYS: keys.join(',') }),
      MAX_RPS: String(allowance.maxRps),
      MAX_REQUESTS: String(allowance.maxRequests),
      ...(allowance.yes && { YES: '1' }),
      ...(allowance.allowLeftovers && { ALLOW_LEFTOVERS: '1' }),
    },
  };
}

function usedLimits(plan: ScenarioPlan, target: Target, keys: readonly string[], file: string): readonly Limit[] {
  try {
    if (plan.kind === 'limit') return selectKeys(target, plan.keys, keys).map(({ rateLimit }) => rateLimit);
    return [(plan.name === 'labels' ? labelWork(target, keys) : uploadWork(target, keys)).key.rateLimit];
  } catch (error) {
    throw new ConfigurationError([`${file}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** A folder that only this user reads, with the target in it, without secrets; removed at the end of the scope. */
export function runFolder({ target }: PortableTarget): { readonly path: string; readonly target: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'partnerkit-load-'));
  const file = join(path, 'target.json');
  writeFileSync(file, JSON.stringify(target));
  return { path, target: file, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** What k6 starts, beside this file: TypeScript here, JavaScript where the package was built. k6 runs both. */
export const mainScript = fileURLToPath(
  packaged(`load/k6/main${import.meta.filename.endsWith('.ts') ? '.ts' : '.js'}`),
);

/** k6's `-e` arguments. */
export const environmentArguments = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
