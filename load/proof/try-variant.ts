import { once } from 'node:events';
import { join } from 'node:path';
import type { TargetInput } from '../../spec/files/target.ts';
import { packageRoot } from '../../spec/package-facts.ts';
import { started } from '../../spec/proof/processes.ts';
import { runLoad } from '../index.ts';
import type { LoadReport } from '../report/report-schema.ts';
import { type PreparedRun, prepareRun } from '../run/prepare-run.ts';

/** A mock that keeps the contract, or breaks it in one way, which a scenario finds. */
interface Variant {
  /** Of `partnerkit mock`. */
  readonly args: readonly string[];
  /** The scenarios that find it, what their sentences say, and the seconds that suffice. */
  readonly found?: readonly (readonly [by: string, says: RegExp, seconds?: number])[];
}

const wrong = (id: string) => ['--wrong', `limiter/${id}`];

/** Every variant of the mock, by name. */
export const variants: Readonly<Record<string, Variant>> = {
  right: { args: [] },
  'burst of 30': { args: ['--burst', '30'] },
  '12 rps': { args: ['--rate', '12'], found: [['overload', /admits 1[12]\.\d rps: too lax by (at least )?\d+%/, 40]] },
  '8 rps': {
    args: ['--rate', '8'],
    found: [
      ['overload', /admits (at most )?8\.\d rps: too strict by (at least )?(19|20|21)%/, 25],
      ['paced', /too strict/, 60],
      ['fleet', /keys break the contract.*too strict/, 60],
    ],
  },
  'burst 15': { args: ['--burst', '15'], found: [['burst', /burst .*: too strict by/]] },
  'burst 40': { args: ['--burst', '40'], found: [['burst', /too lax by/]] },
  'fixed windows of 1 s': {
    args: wrong('fixed-seconds-of-30'),
    found: [['overload', /too lax by (at least )?\d+%/, 25]],
  },
  'shared bucket': {
    args: wrong('shared-by-tenant'),
    found: [['isolation', /share one bucket.*\d+% of the requests/, 20]],
  },
  'lying Retry-After': {
    args: wrong('penalty-of-three-seconds'),
    found: [['recover', /Retry-After said 1 s.*throttled again/]],
  },
  '429 without body': {
    args: wrong('message-missing-for-reads'),
    found: [['burst', /\d+ replies 429 have no message/]],
  },
  '429 without Retry-After': {
    args: wrong('no-retry-after'),
    found: [['burst', /\d+ replies 429 have no Retry-After/]],
  },
};

/**
 * Starts a variant of the mock in a process of its own, which shares no event loop with the load.
 * @param keys so many keys in place of those of the tenant
 */
export async function startVariant(name: string, keys = 0) {
  const command = join(packageRoot(), 'bin/partnerkit.ts');
  const args = variants[name]?.args ?? [];
  const { child, line: url } = await started([process.execPath, command, 'mock', '--port', '0', '--quiet', ...args]);
  const ended = once(child, 'exit');
  const target: TargetInput = await (await fetch(`${url}/_mock/target?format=json`)).json();
  const [tenant] = target.tenants;
  const made = Array.from({ length: keys }, async (_, i) => {
    const body = JSON.stringify({ tenant: tenant?.name, name: `fleet-${i + 1}`, scopes: ['conversation:read'] });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}/_mock/keys`, { method: 'POST', headers, body })).json();
  });
  const fleet = (await Promise.all(made)).map(({ name, secret, scopes }) => ({ name, secret, scopes }));
  const kill = () => child.kill('SIGKILL');
  return {
    target: {
      ...target,
      tenants: target.tenants.map((each) => ({
        ...each,
        keys: each === tenant && keys > 0 ? fleet : each.keys.map(({ rateLimit: _, ...key }) => key),
      })),
    },
    kill,
    async [Symbol.asyncDispose]() {
      kill();
      await ended;
    },
  };
}

export interface Trial {
  readonly scenario: string;
  readonly target: TargetInput;
  /** Seconds of the main phase. */
  readonly duration?: number | undefined;
}

/** Everything is on this machine, so any amount is allowed. */
const allowance = { maxRps: 1e6, maxRequests: 1e9, yes: false, allowLeftovers: true };
const choices = { allowance, env: process.env, where: 'target' };

/** Prepares a scenario against a mock on this machine. */
export const prepareTrial = ({ scenario, target, duration }: Trial): PreparedRun =>
  prepareRun(target, scenario, { ...choices, duration });

/** Runs a scenario against a mock on this machine, with the k6 of this machine. */
export const tryScenario = ({ scenario, target, duration }: Trial): Promise<LoadReport> =>
  runLoad(target, scenario, { ...choices, duration });
