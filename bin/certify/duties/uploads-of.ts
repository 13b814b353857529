import { objectIn, succeeded } from '../../../conformance/history/exchange.ts';
import { perObject } from '../../../conformance/per-object.ts';
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

/** The uploads that a client started. */
export const uploadsOf = perObject(({ requests }: Traffic): readonly ClientUpload[] =>
  requests
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
    }),
);

/** The body of a request if that is a JSON object, else an empty object. */
export const bodyOf = ({ requestBody }: SentRequest) => objectIn({ body: requestBody });
