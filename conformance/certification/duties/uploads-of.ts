import { objectIn, succeeded } from '../../history/exchange.ts';
import { pathOf, type SentRequest, type Traffic } from '../traffic.ts';

/** The requests of one upload: start, PUTs, registrations. */
export interface ClientUpload {
  readonly start: SentRequest;
  readonly fileKey: string;
  /** Of the start request; undefined where that has none. */
  readonly contentType: string | undefined;
  /** Milliseconds since the epoch; NaN where the reply names no time. */
  readonly expiresAt: number;
  readonly puts: readonly SentRequest[];
  readonly registrations: readonly SentRequest[];
}

const known = new WeakMap<Traffic, readonly ClientUpload[]>();

/** The uploads that a client started. */
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

/** The body of a request if that is a JSON object, else an empty object. */
export const bodyOf = ({ requestBody }: SentRequest) => objectIn({ body: requestBody });
