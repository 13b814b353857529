import type { Target, TargetKey } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import { fillPath } from '../../spec/routes.ts';
import { operationOf } from './operation-of.ts';

/** A request that a limit scenario sends: documented to change nothing. */
export interface Probe {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/**
 * What a key may ask of a deployment without changing anything: reads, and the start of an upload, which stores nothing. Several,
 * because a limiter may count each path by itself, or reads alone. The first needs a key and nothing else.
 * @throws Error where the target has no operation that needs only a key
 */
export function probesOf(target: Pick<Target, 'operations' | 'tenants' | 'upload'>, key: TargetKey): readonly Probe[] {
  const [tenant] = target.tenants;
  const open = tenant?.conversations?.open;
  const site = tenant?.sites?.current;
  const ids: readonly (readonly [OperationId, string | undefined])[] = [
    ['listLabels', ''],
    ['getHealth', ''],
    ['getConversation', open],
    ['getConversationContext', open],
    ['getSite', site],
    ['getClient', tenant?.clientSite?.client],
    ['startSiteFileUpload', site],
  ];
  const probes = ids.flatMap(([operationId, id]): Probe[] => {
    const served = operationOf(target, operationId);
    if (served === undefined || id === undefined) return [];
    if (!served.scopes.every((scope) => key.scopes.some((held) => held === scope))) return [];
    const { method, path } = served;
    const body =
      operationId === 'startSiteFileUpload' ? JSON.stringify({ contentType: target.upload.contentType }) : undefined;
    return [{ operationId, method, path: fillPath(path, { id }), ...(body !== undefined && { body }) }];
  });
  if (probes[0]?.operationId !== 'listLabels' && probes[0]?.operationId !== 'getHealth')
    throw new Error('the target has neither listLabels nor getHealth; one of them is needed');
  return probes;
}
