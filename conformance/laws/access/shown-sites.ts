import { type Exchange, isObject, objectIn, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy } from '../judging/asked.ts';
import type { Breach } from '../judging/law.ts';
import { wordsOf } from '../judging/words-of.ts';

interface ShownSite {
  readonly id: string;
  readonly exchange: Exchange;
  /** The name of the tenant to which the context was shown. */
  readonly tenant: string;
}

/** The sites in contexts. Without short numbers: two tenants may have sites with the same number. */
export const shownSites = (history: History): readonly ShownSite[] =>
  history.exchanges.flatMap((exchange) => {
    const { authenticates, tenant } = askedBy(exchange, history);
    if (exchange.operation !== 'getConversationContext' || !authenticates || !tenant || !succeeded(exchange)) return [];
    const { sites } = objectIn(exchange);
    const ids = Array.isArray(sites) ? sites.map((site: unknown) => (isObject(site) ? site.id : undefined)) : [];
    return ids
      .filter((id) => typeof id === 'string' && !/^\d+$/.test(id))
      .map((id) => ({ id: String(id), exchange, tenant: tenant.name }));
  });

/** Sites in a tenant's contexts that only the other tenant can read, and that therefore are not its own. */
export function sitesOfOthers(history: History): Breach[] {
  const reads = history.exchanges.flatMap((exchange) => {
    const { authenticates, tenant, lacks } = askedBy(exchange, history);
    const isRead = exchange.operation === 'getSite' && authenticates && lacks.length === 0;
    return isRead ? [{ exchange, tenant: tenant?.name, id: exchange.params.id }] : [];
  });
  return shownSites(history).flatMap(({ id, exchange, tenant }): Breach[] => {
    const ofSite = reads.filter((read) => read.id === id);
    const own = ofSite.filter((read) => read.tenant === tenant);
    const refused = own.find((read) => read.exchange.status === 403 || read.exchange.status === 404);
    const served = ofSite.find((read) => succeeded(read.exchange));
    if (refused === undefined || served === undefined || served.tenant === tenant) return [];
    return [
      {
        exchange,
        expected: `no site of ${served.tenant} in the reply to "${wordsOf(exchange)}"`,
        observed: `site ${id}, which ${served.tenant} can read and ${tenant} cannot`,
        with: [refused.exchange, served.exchange],
      },
    ];
  });
}
