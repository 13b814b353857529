import { objectIn, succeeded } from '../../history/exchange.ts';
import { pathOf, type SentRequest, type Traffic } from '../traffic.ts';

/** One upload of a client: asked for, sent, registered. */
export interface ClientUpload {
  readonly start: SentRequest;
  readonly fileKey: string;
  /** As it was asked for; undefined where the request did not say. */
  readonly contentType: string | undefined;
  /** Milliseconds since the epoch; NaN where the reply did not say. */
  readonly expiresAt: number;
  readonly puts: readonly SentRequest[];
  readonly registrations: readonly SentRequest[];
}

const known = new WeakMap<Traffic, readonly ClientUpload[]>();

/** The uploads that a client began, each with what it sent for it. */
export function uploadsOf(traffic: Traffic): readonly ClientUpload[] {
  const found = known.get(traffic) ?? gather(traffic);
  known.set(traffic, found);
  return found;
}

function gather({ requests }: Traffic): ClientUpload[] {
  return requests
    .filter((request) => request.operation === 'startSiteFileUpload' && succeeded(request))
    .map((start) => {
      const { fileKey, uploadUrl, uploadUrlExpiresAt } = objectIn(start);
      const { contentType } = bodyOf(start);
      const path = pathOf(String(uploadUrl));
      return {
        start,
        fileKey: String(fileKey),
        contentType: typeof contentType === 'string' ? contentType : undefined,
        expiresAt: Date.parse(String(uploadUrlExpiresAt)),
        puts: requests.filter(({ operation, url }) => operation === 'storage' && pathOf(url) === path),
        registrations: requests.filter(
          (request) => request.operation === 'registerSiteFile' && bodyOf(request).fileKey === fileKey,
        ),
      };
    });
}

/** The JSON body of a request where it is an object, else an empty one. */
export const bodyOf = ({ requestBody }: SentRequest) => objectIn({ body: requestBody });
