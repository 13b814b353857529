import { checkArguments, shapes } from '../../arguments/shapes.ts';
import { type Fault, verifyUsed } from '../../faults/fault.ts';
import type { Exchange } from '../../journal/exchange.ts';
import { selects } from '../../journal/query.ts';
import { type Verification, VerificationError } from '../../journal/verification.ts';
import { type AcmeKey, acmeKeys } from '../../store/acme-records.ts';
import type { ClonedAcme } from '../../store/tenancy.ts';
import type { PartnerClock, PartnerFaults, PartnerJournal, PartnerTenant } from './partner-tenant.ts';
import { remoteJson } from './remote-control.ts';

/**
 * Creates a copy of acme through the control API of a mock. At the end of the scope it removes the copy with its keys, faults
 * and exchanges, and resets the clock if the test has changed it.
 * @param url the address of the mock
 */
export async function remoteTenant(url: string): Promise<PartnerTenant & AsyncDisposable> {
  const call = (method: string, path: string, body?: unknown) => remoteJson(url, path, { method, body });
  const { name, ids, keys, ...named } = (await call('POST', '/tenants', { from: 'acme' })) as ClonedAcme;
  const secrets = Object.fromEntries(acmeKeys.map((key) => [key, keys[key].secret]));
  const id = (original: string) => {
    const own = ids[original];
    if (own === undefined) throw new Error(`partner.id: the tenant acme of the fixtures has no ${original}`);
    return own;
  };
  const { clock, wasMoved } = remoteClock(call);
  return {
    url,
    name,
    apiKey: secrets.full ?? '',
    keys: secrets as Record<AcmeKey, string>,
    conversations: named.conversations,
    sites: named.sites,
    clients: named.clients,
    labels: named.labels,
    id,
    clock,
    faults: remoteFaults(call, name),
    journal: remoteJournal(call, name),
    async [Symbol.asyncDispose]() {
      if (wasMoved()) await clock.reset();
      // A test may have reset the whole mock, which removes every copy.
      await call('DELETE', `/tenants/${name}`).catch(() => undefined);
    },
  };
}

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

function remoteClock(call: Call): { readonly clock: PartnerClock; wasMoved(): boolean } {
  let moved = false;
  const move = async (path: string, body: object) => {
    moved = true;
    await call('POST', path, body);
  };
  const clock: PartnerClock = {
    now: async () => Date.parse(((await call('GET', '/clock')) as { now: string }).now),
    freeze: (at) => move('/clock/freeze', at === undefined ? {} : { at }),
    advance: (by) => move('/clock/advance', { by }),
    async reset() {
      await call('POST', '/clock/reset', {});
      moved = false;
    },
  };
  return { clock, wasMoved: () => moved };
}

function remoteFaults(call: Call, tenant: string): PartnerFaults {
  const list = async () => {
    const { faults } = (await call('GET', '/faults')) as { faults: Fault[] };
    return faults.filter(({ spec }) => spec.tenant === tenant);
  };
  return {
    add: async (spec) => (await call('POST', '/faults', { ...spec, tenant })) as Fault,
    list,
    verifyUsed: async () => verifyUsed(await list()),
  };
}

function remoteJournal(call: Call, tenant: string): PartnerJournal {
  const verify = async (expected: object) => {
    const verification = (await call('POST', '/journal/verify', expected)) as Verification;
    if (!verification.verified) throw new VerificationError(verification);
  };
  return {
    async list(query = {}) {
      checkArguments(query, shapes().journalQuery);
      // A query string cannot express every query, so all criteria are applied here.
      const of = new URLSearchParams({ tenant, limit: '1000000' });
      const { exchanges } = (await call('GET', `/journal?${of}`)) as {
        exchanges: (Omit<Exchange, 'at'> & { at: string })[];
      };
      return exchanges
        .map((exchange): Exchange => ({ ...exchange, at: Date.parse(exchange.at) }))
        .filter(selects(query));
    },
    count: async (query = {}) =>
      ((await call('POST', '/journal/count', { ...query, tenant })) as { count: number }).count,
    verify: (query, times) => verify({ query: { ...query, tenant }, times }),
    verifySequence: (queries) => verify({ sequence: queries.map((query) => ({ ...query, tenant })) }),
    verifyGaps: (query, gaps) => verify({ query: { ...query, tenant }, gaps }),
  };
}
