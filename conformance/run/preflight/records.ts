import type { TargetTenant } from '../../../spec/files/target.ts';
import { operations } from '../../../spec/operations.ts';
import { type Exchange, objectIn, succeeded } from '../../history/exchange.ts';
import { lawfulAsks } from '../../scripts/lawful.ts';
import type { Deployment } from '../../target/deployment.ts';
import { labelOperations } from '../../target/holder.ts';
import { keysFor } from '../../target/keys.ts';
import { holdersOf, tenantsOf } from '../../target/records.ts';
import { type Asking, pathOf } from './reachable.ts';

/** An id that no operation finds is wrong. */
export async function recordProblems(deployment: Deployment, { send, newId }: Asking): Promise<string[]> {
  // A record exists if the spare label can be removed from it. No record carries that label, so the removal changes nothing.
  const acceptsRemoval = async (slug: string, tenant: TargetTenant) => {
    for (const { remove } of Object.values(labelOperations)) {
      const [first] = deployment.operation(remove)
        ? lawfulAsks(remove, deployment, newId, tenant).filter((one) => one.slug === slug)
        : [];
      const [key] = keysFor(deployment, remove, tenant);
      if (first && key && succeeded(await send({ ...first.ask, key }))) return true;
    }
    return false;
  };
  const problems = tenantsOf(deployment).flatMap((tenant, index) => {
    const asks = deployment.operations
      .filter(({ id }) => id !== 'registerSiteFile')
      .flatMap(({ id }) => lawfulAsks(id, deployment, newId, tenant))
      .filter(({ slug, holder }) => slug !== '' && holder === undefined);
    return [...Map.groupBy(asks, ({ slug }) => slug)].map(async ([slug, ofRecord]): Promise<string[]> => {
      const replies: Exchange[] = [];
      for (const { ask } of ofRecord) {
        const key = keysFor(deployment, ask.operation, tenant).at(-1);
        if (key !== undefined) replies.push(await send({ ...ask, key }));
        if (replies.some(({ status }) => status !== 404)) return [];
      }
      if (replies.length === 0 || (await acceptsRemoval(slug, tenant))) return [];
      const words = replies.map((one) => `${one.method} ${pathOf(one)} answered 404`).join(', ');
      return [`tenants[${index}].${fields[slug] ?? slug}: ${words}: there is no such record${orNoOperation(replies)}`];
    });
  });
  return (await Promise.all(problems)).flat();
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

/** Spare labels that conversations carry already. The run would remove such a label, and so lose it. */
export async function spareLabelProblems(deployment: Deployment, { send }: Asking): Promise<string[]> {
  const key = keysFor(deployment, 'getConversationContext').at(-1);
  if (key === undefined || deployment.operation('getConversationContext') === undefined) return [];
  const { spareLabel, spareLabels = [] } = deployment.tenant;
  const spares = [
    ...(spareLabel ? [{ ...spareLabel, at: 'spareLabel' }] : []),
    ...spareLabels.map((one, i) => ({ ...one, at: `spareLabels[${i}]` })),
  ];
  const problems: string[] = [];
  for (const { holder, field } of holdersOf(deployment.tenant)) {
    if (holder.kind !== 'conversation') continue;
    const { labels } = objectIn(await send({ operation: 'getConversationContext', params: { id: holder.id }, key }));
    if (!Array.isArray(labels)) continue;
    for (const spare of spares) {
      if (labels.includes(spare.id) || (spare.name !== undefined && labels.includes(spare.name)))
        problems.push(
          `tenants[0].${spare.at}: ${spare.name ?? spare.id} is on ${field} already: give a label that no record carries; if that is another label of the same name, leave out its name; if an earlier run was killed, run \`partnerkit conformance cleanup\``,
        );
    }
  }
  return problems;
}

const usualTypes = ['image/png', 'image/jpeg', 'application/pdf', 'text/plain'];

/** A deployment may choose its content types, so the target file has to name one that the deployment accepts. */
export async function uploadTypeProblems(deployment: Deployment, { send, newId }: Asking): Promise<string[]> {
  const [first] = deployment.operation('startSiteFileUpload')
    ? lawfulAsks('startSiteFileUpload', deployment, newId)
    : [];
  if (first === undefined) return [];
  const refusal = await send(first.ask);
  if (![400, 415, 422].includes(refusal.status ?? 0)) return [];
  const named = deployment.uploadContentType;
  for (const contentType of usualTypes.filter((one) => one !== named)) {
    if (succeeded(await send({ ...first.ask, body: { contentType } })))
      return [`upload.contentType: uploads of ${named} are refused with ${refusal.status}; ${contentType} is accepted`];
  }
  return [];
}
