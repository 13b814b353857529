import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { type Environment, parseTarget, type Target, type TargetKey } from '../../spec/files/target.ts';
import { type Allowance, plannedTraffic, refusals } from '../plan/traffic.ts';
import { probesOf, workOf } from '../plan/work.ts';
import type { RunKey } from '../run-file.ts';
import { scenarioPlan, scenarioPlans } from '../scenarios.ts';

export interface RunChoices {
  /** Names of keys of the first tenant; empty leaves it to the target. */
  readonly keys?: readonly string[];
  /** Seconds of the main phase. */
  readonly duration?: number | undefined;
  readonly allowance: Allowance;
  readonly env: Environment;
  /** The name of the target in errors, such as its file. */
  readonly where: string;
}

export type PreparedRun = ReturnType<typeof prepareRun>;

/**
 * All that k6 gets of a target: the script computes nothing of it. Texts may have placeholders `${NAME}`, which k6 replaces from its
 * environment, so that the file has no secret.
 */
export type RunFile = PreparedRun['file'];

/**
 * Checks everything that can be checked before anything is sent: scenario, target, keys, what the person allowed.
 * @param value the content of a target file, before any substitution
 * @throws ConfigurationError with every reason against it
 */
export function prepareRun(value: unknown, scenario: string, choices: RunChoices) {
  const { keys: names = [], duration, allowance, env, where } = choices;
  const plan = scenarioPlan(scenario);
  if (plan === undefined) {
    throw new ConfigurationError([
      `there is no scenario ${scenario}; use one of ${scenarioPlans.map(({ name }) => name).join(', ')}`,
    ]);
  }
  const target = parseTarget(value, env, where);
  const { keys, ...work } = named(where, () => workOf(plan, target, names));
  const seconds = duration ?? plan.seconds ?? 0;
  const limits = keys.map(({ rateLimit }) => rateLimit);
  const traffic = plannedTraffic(plan, limits, seconds);
  const refused = refusals(plan, traffic, target.baseUrl, allowance);
  if (refused.length > 0) throw new ConfigurationError(refused);

  const portable = withPlaceholders({ ...target, tls: undefined }, value) as Target;
  /** Environment variables with the secrets that stand in the target. */
  const secrets: Record<string, string> = {};
  const secretOf = ({ name }: TargetKey) => {
    const index = target.tenants[0]?.keys.findIndex((key) => key.name === name) ?? 0;
    const { secret = '' } = portable.tenants[0]?.keys[index] ?? {};
    if (/^\$\{\w+\}$/.test(secret)) return secret;
    secrets[`PARTNERKIT_SECRET_${index + 1}`] = secret;
    return `\${PARTNERKIT_SECRET_${index + 1}}`;
  };
  const { cert, key: privateKey } = target.tls ?? {};
  if (cert && privateKey) Object.assign(secrets, { PARTNERKIT_TLS_CERT: cert, PARTNERKIT_TLS_KEY: privateKey });
  const file = {
    scenario,
    /** The main phase. */
    seconds,
    /** The whole run. */
    plannedSeconds: traffic.seconds,
    baseUrl: portable.baseUrl,
    headers: portable.headers,
    /** The keys that are driven, each by one VU. */
    keys: keys.map(
      (key): RunKey => ({
        label: `${target.tenants[0]?.name}/${key.name}`,
        secret: secretOf(key),
        limit: key.rateLimit,
        probes: plan.kind === 'flow' ? [] : probesOf(target, key).slice(0, plan.keys === 'one' ? undefined : 1),
      }),
    ),
    ...(work.labels && { labels: work.labels }),
    ...(work.upload && {
      upload: { ...portable.upload, ...work.upload, contentType: target.upload.contentType },
    }),
    // The certificate of the client, as PEM texts.
    ...(cert && { tls: { cert: `\${PARTNERKIT_TLS_CERT}`, key: `\${PARTNERKIT_TLS_KEY}` } }),
    /** Whether the deployment is on this machine or in its network, as its file storage then may be. */
    near: false,
    /** Addresses of the proxies that requests go through. */
    proxies: [] as readonly string[],
  };
  /** What the run file asks for. */
  const variables = [...JSON.stringify(file).matchAll(/\$\{([A-Za-z_]\w*)\}/g)].map(([, name = '']) => name);
  return { plan, target, traffic, file, secrets, variables: [...new Set(variables)] };
}

/** @throws ConfigurationError that names the target, for what it lacks */
function named<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigurationError([`${where}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** A parsed value whose texts have their placeholders again, because an archive must have no secret of the environment. */
function withPlaceholders(parsed: unknown, raw: unknown): unknown {
  if (typeof raw === 'string') return /\$\{[A-Za-z_]\w*\}/.test(raw) ? raw : parsed;
  if (typeof parsed !== 'object' || parsed === null || typeof raw !== 'object' || raw === null) return parsed;
  const part = (name: string) => (raw as Readonly<Record<string, unknown>>)[name];
  if (Array.isArray(parsed)) return parsed.map((item, index) => withPlaceholders(item, part(String(index))));
  return Object.fromEntries(Object.entries(parsed).map(([name, item]) => [name, withPlaceholders(item, part(name))]));
}
