import type { TargetTenant } from '../../../spec/files/target.ts';
import { operations } from '../../../spec/operations.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { lawfulAsks } from '../../scripts/lawful.ts';
import type { Deployment } from '../../target/deployment.ts';
import { labelOperations } from '../../target/holder.ts';
import { keyFor, keysFor } from '../../target/keys.ts';
import { type Asking, pathOf, sendTwice } from './asking.ts';

/** An id that no operation finds is wrong. */
export async function recordProblems(deployment: Deployment, { send, newId }: Asking): Promise<string[]> {
  const problems: string[] = [];
  // A record exists if the spare label can be removed from it. No record carries that label, so the removal changes nothing.
  const acceptsRemoval = async (slug: string, tenant: TargetTenant) => {
    for (const { remove } of Object.values(labelOperations)) {
      const ask =
        deployment.operation(remove) &&
        lawfulAsks(remove, deployment, newId, tenant).find((one) => one.slug === slug)?.ask;
      const [key] = keysFor(deployment, remove, tenant);
      if (ask && key && succeeded(await send({ ...ask, key }))) return true;
    }
    return false;
  };
  for (const [index, tenant] of [deployment.tenant, deployment.stranger].entries()) {
    if (tenant === undefined) continue;
    const asks = deployment.operations
      .filter(({ id }) => id !== 'registerSiteFile')
      .flatMap(({ id }) => lawfulAsks(id, deployment, newId, tenant))
      .filter(({ slug, holder }) => slug !== '' && holder === undefined);
    const records = [...Map.groupBy(asks, (one) => one.slug)].map(async ([slug, ofRecord]): Promise<string[]> => {
      const replies: Exchange[] = [];
      for (const { ask } of ofRecord) {
        const of = index === 1 ? 'stranger' : undefined;
        const found = keyFor(deployment, { scopes: deployment.scopesOf(ask.operation), of });
        if ('missing' in found) continue;
        const exchange = await sendTwice(send, { ...ask, key: found.key }, [404]);
        replies.push(exchange);
        if (exchange.status !== 404) break;
      }
      const missing = replies.length > 0 && replies.every(({ status }) => status === 404);
      if (!missing || (await acceptsRemoval(slug, tenant))) return [];
      return [
        `tenants[${index}].${fields[slug] ?? slug}: ${replies.map((one) => `${one.method} ${pathOf(one)} answered 404`).join(', ')}: there is no such record${orNoOperation(replies)}`,
      ];
    });
    problems.push(...(await Promise.all(records)).flat());
  }
  return problems;
}

/** Another cause of a 404: the operation is not documented, and the deployment may not have it. */
function orNoOperation(replies: readonly Exchange[]): string {
  const names = replies.map(({ operation }) => operation).filter((id) => id !== null && id !== 'storage');
  const absent = names.filter((id) => operations[id].provenance.path !== 'documented');
  if (absent.length < names.length) return '';
  return `, or no such operation, which ${absent.map((id) => `operations.${id}: null`).join(' and ')} would say`;
}

const fields: Readonly<Record<string, string>> = {
  'open-conversation': 'conversations.open',
  'closed-conversation': 'conversations.closed',
  'current-site': 'sites.current',
  'legacy-site': 'sites.legacy',
  client: 'clientSite.client',
};
