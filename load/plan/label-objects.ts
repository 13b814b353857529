import type { Target, TargetKey } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/generated/operations.ts';
import { fillPath } from '../../spec/routes.ts';
import { operationOf } from './operation-of.ts';

/** Something that can carry a label, with the requests that put the spare label on it and take it off. */
interface LabelObject {
  readonly name: 'conversation' | 'site' | 'client-site link';
  readonly apply: LabelRequest;
  readonly remove: LabelRequest;
}

export interface LabelRequest {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
}

interface LabelWork {
  readonly key: TargetKey;
  readonly objects: readonly LabelObject[];
  readonly label: { readonly id: string; readonly name?: string | undefined };
}

/**
 * What the labels scenario works on: the objects of the first tenant that one key may label. Of several keys the one that
 * reaches most objects is taken, unless the person names one.
 * @throws Error that says what the target lacks
 */
export function labelWork(target: Target, names: readonly string[]): LabelWork {
  const [tenant] = target.tenants;
  const label = tenant?.spareLabel ?? tenant?.spareLabels?.[0];
  if (tenant === undefined || label === undefined) {
    throw new Error('labels needs tenants[0].spareLabel: a public label that nothing carries');
  }
  const works = tenant.keys
    .filter((key) => !key.revoked && (names.length === 0 ? key.use !== 'limits' : names.includes(key.name)))
    .map((key) => ({ key, label, objects: objectsFor(target, key, label.id) }));
  const best = works.sort((a, b) => b.objects.length - a.objects.length)[0];
  if (best === undefined || best.objects.length === 0) {
    throw new Error(
      'labels needs a key that may label something: conversation:write and conversations.open, site:write and sites.current, or both client:write and site:write and clientSite',
    );
  }
  return best;
}

function objectsFor(target: Target, key: TargetKey, labelId: string): readonly LabelObject[] {
  const [tenant] = target.tenants;
  const { clientSite } = tenant ?? {};
  const candidates = [
    {
      name: 'conversation',
      ids: ['applyConversationLabel', 'removeConversationLabel'],
      params: { id: tenant?.conversations?.open },
    },
    { name: 'site', ids: ['applySiteLabel', 'removeSiteLabel'], params: { id: tenant?.sites?.current } },
    {
      name: 'client-site link',
      ids: ['applyClientSiteLabel', 'removeClientSiteLabel'],
      params: { clientId: clientSite?.client, siteId: clientSite?.site },
    },
  ] as const;
  return candidates.flatMap(({ name, ids, params }) => {
    const filled: Record<string, string> = { labelId };
    for (const [parameter, value] of Object.entries(params)) if (value !== undefined) filled[parameter] = value;
    if (Object.keys(filled).length <= Object.keys(params).length) return [];
    const [apply, remove] = ids.map((id): LabelRequest | undefined => {
      const served = operationOf(target, id);
      if (served === undefined || !served.scopes.every((scope) => key.scopes.includes(scope))) return undefined;
      return { operationId: id, method: served.method, path: fillPath(served.path, filled) };
    });
    return apply === undefined || remove === undefined ? [] : [{ name, apply, remove }];
  });
}
