import type { Ask } from '../../client/ask.ts';
import type { Deployment } from '../../target/deployment.ts';
import { type KeyOfTenant, keysFor } from '../../target/keys.ts';
import type { KnownHolder } from '../../target/records.ts';
import { holdersOf } from '../../target/records.ts';

export const start = 'startSiteFileUpload';

export const someBytes = new TextEncoder().encode('partnerkit conformance check\n');

/** The keys of a tenant that may upload, those with the fewest scopes first, because other situations use them less. */
export const uploadKeys = (deployment: Deployment, tenant = deployment.tenant): KeyOfTenant[] =>
  keysFor(deployment, start, tenant);

/** Takes the keys in turn. */
export function inTurn(keys: readonly KeyOfTenant[], first = 0): () => { readonly key?: KeyOfTenant } {
  let turn = first;
  return () => {
    const key = keys[turn++ % Math.max(1, keys.length)];
    return key === undefined ? {} : { key };
  };
}

const lawfulBody = ({ uploadContentType }: Deployment) => ({ contentType: uploadContentType });

export const startAsk = (deployment: Deployment, site: string, more: Partial<Ask> = {}): Ask => ({
  operation: start,
  params: { id: site },
  body: lawfulBody(deployment),
  ...more,
});

export const sitesOf = (deployment: Deployment) =>
  holdersOf(deployment.tenant).filter(
    (known): known is KnownHolder & { readonly holder: { readonly kind: 'site' } } => known.holder.kind === 'site',
  );

/** A request with the bytes of a file, which no operation allows. */
export const directBytes = (ask: Ask, type: string, body: Uint8Array | string = someBytes): Ask => ({
  ...ask,
  body,
  headers: { 'content-type': type },
  twist: `direct-bytes/${type.split(';')[0]}`,
});
