import { objectIn, succeeded } from '../../../conformance/history/exchange.ts';
import { perObject } from '../../../conformance/per-object.ts';
import { isBodyKnown, pathOf, type SentRequest, type Traffic } from '../traffic.ts';
import { anUpload, type Duty, each, perRequest, perRun, type Wrong } from './duty.ts';

/** The uploads that a client started, each with its requests: start, PUTs, registrations. */
const uploadsOf = perObject(({ requests }: Traffic) =>
  requests
    .filter((request) => request.operation === 'startSiteFileUpload' && succeeded(request))
    .map((start) => {
      const { fileKey, uploadUrl, uploadUrlExpiresAt } = objectIn(start);
      const { contentType } = bodyOf(start);
      const path = pathOf(String(uploadUrl));
      return {
        start,
        fileKey: String(fileKey),
        /** Of the start request; empty where that has none. */
        contentType: typeof contentType === 'string' ? contentType : '',
        /** Milliseconds since the epoch; NaN where the reply names no time. */
        expiresAt: Date.parse(String(uploadUrlExpiresAt)),
        puts: requests.filter(({ operation, url }) => operation === 'storage' && pathOf(url) === path),
        registrations: requests.filter((one) => isRegistration(one) && bodyOf(one).fileKey === fileKey),
      };
    }),
);

type ClientUpload = ReturnType<typeof uploadsOf>[number];

/** The body of a request if that is a JSON object, else an empty object. */
const bodyOf = ({ requestBody }: SentRequest) => objectIn({ body: requestBody });

const isRegistration = ({ operation, requestBody }: SentRequest) =>
  operation === 'registerSiteFile' && requestBody !== null;

/** Each PUT, or each registration, of an upload is a case. */
const perUpload = (
  kind: 'puts' | 'registrations',
  judge: (request: SentRequest, upload: ClientUpload) => null | Wrong,
): Duty['cases'] =>
  perRun((run) => uploadsOf(run).flatMap((upload) => each(upload[kind], (request) => judge(request, upload))));

/** Case and white space do not matter in media types. */
const normalised = (type: string) => type.toLowerCase().replaceAll(/\s/g, '');

const steps: readonly Duty[] = [
  {
    rule: 'client/upload-form',
    advice: 'Send {"contentType": "…"} and no other property.',
    cases: perRequest(
      (request) => request.operation === 'startSiteFileUpload' && isBodyKnown(request),
      (request) => {
        const { contentType, ...others } = bodyOf(request);
        const expected = 'one property, contentType, a string that is not empty';
        if (typeof contentType !== 'string' || contentType === '')
          return [expected, `contentType: ${JSON.stringify(contentType) ?? 'missing'}`];
        const names = Object.keys(others);
        return names.length === 0 ? null : [expected, `contentType and ${names.join(', ')}`];
      },
    ),
  },
  {
    rule: 'client/upload-content-type',
    advice: 'Send the PUT with the same Content-Type as in the body of the upload-url request.',
    cases: perUpload('puts', ({ requestHeaders: { 'content-type': sent } }, { start, contentType }) => {
      if (contentType === '' || normalised(contentType) === normalised(sent ?? '')) return null;
      return [`Content-Type: ${contentType}`, `Content-Type: ${sent ?? 'missing'}`, start];
    }),
  },
  {
    rule: 'client/upload-in-time',
    advice: 'Check uploadUrlExpiresAt before the PUT, and ask for a new URL when the time has passed.',
    cases: perUpload('puts', ({ sentAt }, { start, expiresAt }) => {
      const late = sentAt - expiresAt;
      return late > 0 ? ['a PUT before uploadUrlExpiresAt', `${Math.ceil(late / 1000)} s too late`, start] : null;
    }),
  },
  {
    rule: 'client/register-after-put',
    advice: 'Wait for the reply to the PUT, and register the file only after a success.',
    under: ['storage-lost-reply', 'storage-unavailable'],
    cases: perUpload('registrations', (request, { start, puts }) => {
      if (puts.some((put) => succeeded(put) && put.doneAt <= request.sentAt)) return null;
      const last = puts.findLast(({ sentAt }) => sentAt <= request.sentAt);
      const expected = 'a PUT that was answered with success';
      if (last === undefined) return [expected, 'no PUT before it', start];
      return [expected, `the PUT before it got ${last.status ?? 'no reply'}`, start, last];
    }),
  },
  {
    rule: 'client/register-issued-key',
    advice: 'Register the file with the fileKey from upload-url, at the same site.',
    cases: perRequest(isRegistration, (request, run) => {
      const { fileKey } = bodyOf(request);
      const upload = uploadsOf(run).find((one) => one.fileKey === fileKey);
      if (upload === undefined) {
        if (succeeded(request)) return 'a file was registered whose upload began before the recording';
        return ['a fileKey from upload-url', fileKey ? `${fileKey}, which no reply contained` : 'fileKey: missing'];
      }
      const [asked = '', named = ''] = [upload.start.params.id, request.params.id];
      return asked === named ? null : [`site ${asked}`, `site ${named}`, upload.start];
    }),
  },
  {
    rule: 'client/finishes-uploads',
    advice: 'Register the file after the PUT: until then it is not on the site.',
    cases: perRun((run) =>
      uploadsOf(run).flatMap(({ start, puts, registrations }) => {
        const stored = puts.find(succeeded);
        // A variation may have ended the run before the registration.
        if (stored === undefined || run.varied) return [];
        return [registrations.length > 0 ? null : [stored, 'a registration after the PUT', 'none', start]];
      }),
    ),
  },
];

/** Duties about the three steps of an upload. */
export const uploadDuties = steps.map((duty): Duty => ({ needs: anUpload, ...duty }));
