import { succeeded } from '../../history/exchange.ts';
import { lawfulAsks } from '../../scripts/lawful.ts';
import type { Deployment } from '../../target/deployment.ts';
import type { Asking } from './asking.ts';

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
