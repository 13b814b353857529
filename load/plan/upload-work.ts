import type { Target, TargetKey } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/generated/operations.ts';
import { fillPath } from '../../spec/routes.ts';
import type { LabelRequest } from './label-objects.ts';
import { operationOf } from './operation-of.ts';

interface UploadWork {
  readonly key: TargetKey;
  readonly start: LabelRequest;
  readonly register: LabelRequest;
}

/**
 * What the upload scenario works on: the current site of the first tenant and a key that may upload to it.
 * @throws Error that says what the target lacks
 */
export function uploadWork(target: Target, names: readonly string[]): UploadWork {
  const [tenant] = target.tenants;
  const site = tenant?.sites?.current;
  if (tenant === undefined || site === undefined) throw new Error('upload needs tenants[0].sites.current');
  const request = (id: OperationId) => {
    const served = operationOf(target, id);
    if (served === undefined) throw new Error(`the target says that it has no ${id}, so upload cannot run against it`);
    return { ...served, operationId: id, path: fillPath(served.path, { id: site }) };
  };
  const [start, register] = [request('startSiteFileUpload'), request('registerSiteFile')];
  const scopes = [...start.scopes, ...register.scopes];
  const key = tenant.keys.find(
    ({ name, revoked, use, scopes: held }) =>
      !revoked &&
      (names.length === 0 ? use !== 'limits' : names.includes(name)) &&
      scopes.every((scope) => held.includes(scope)),
  );
  if (key === undefined) throw new Error(`upload needs a key with ${[...new Set(scopes)].join(' and ')}`);
  return { key, start, register };
}
