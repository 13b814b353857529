import { type Allowance, defaultAllowance } from '../plan/refusals.ts';

const variable = (name: string): string | undefined => {
  const value = __ENV[name];
  return value === undefined || value === '' ? undefined : value;
};

function positive(name: string): number | undefined {
  const text = variable(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number > 0 && number < Number.POSITIVE_INFINITY)) throw new Error(`-e ${name}=${text}: give a number above 0`);
  return number;
}

/** Seconds of the main phase, where the person gave them. */
export const duration = (): number | undefined => positive('DURATION');

/** Names of keys, separated by commas. */
export const keyNames = (): readonly string[] => variable('KEYS')?.split(',') ?? [];

export const allowance = (): Allowance => ({
  maxRps: positive('MAX_RPS') ?? defaultAllowance.maxRps,
  maxRequests: positive('MAX_REQUESTS') ?? defaultAllowance.maxRequests,
  yes: variable('YES') !== undefined,
  allowLeftovers: variable('ALLOW_LEFTOVERS') !== undefined,
});

/** Whether the deployment is on this machine or in its networks. k6 can't ask for a name's addresses before a run, so it is told. */
export const near = (): boolean => variable('NEAR') !== undefined;

/** The addresses of the proxies that requests go through. */
export const proxies = (): readonly string[] => variable('PROXIES')?.split(',') ?? [];

/** Whether somebody else judges k6's raw output, as `partnerkit load run` does, so that VUs need not. */
export const judgedOutside = (): boolean => variable('JUDGED_OUTSIDE') !== undefined;
