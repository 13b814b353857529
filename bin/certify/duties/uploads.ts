import { succeeded } from '../../../conformance/history/exchange.ts';
import { isBodyKnown, type SentRequest, type Traffic } from '../traffic.ts';
import { type Duty, dutyOfHabits, dutyOfRequests } from './duty.ts';
import { bodyOf, type ClientUpload, uploadsOf } from './uploads-of.ts';

const uploadOfPut = (put: SentRequest, traffic: Traffic): ClientUpload | undefined =>
  uploadsOf(traffic).find(({ puts }) => puts.includes(put));

const uploadOfRegistration = (request: SentRequest, traffic: Traffic): ClientUpload | undefined =>
  uploadsOf(traffic).find(({ fileKey }) => fileKey === bodyOf(request).fileKey);

const isPut = (request: SentRequest, traffic: Traffic) => uploadOfPut(request, traffic) !== undefined;
const isRegistration = ({ operation, requestBody }: SentRequest) =>
  operation === 'registerSiteFile' && requestBody !== null;

/** Case and white space do not matter in media types. */
const normalised = (type: string) => type.toLowerCase().replaceAll(/\s/g, '');

/** Duties about the three steps of an upload. */
export const uploadDuties: readonly Duty[] = [
  dutyOfRequests({
    rule: 'client/upload-form',
    advice: 'Send {"contentType": "…"} and no other property.',
    applies: (request) => request.operation === 'startSiteFileUpload' && isBodyKnown(request),
    judge(request) {
      const { contentType, ...others } = bodyOf(request);
      const expected = 'one property, contentType, a string that is not empty';
      if (typeof contentType !== 'string' || contentType === '') {
        return { expected, observed: `contentType: ${JSON.stringify(contentType) ?? 'none'}` };
      }
      const names = Object.keys(others);
      return names.length === 0 ? null : { expected, observed: `contentType and ${names.join(', ')}` };
    },
  }),
  dutyOfRequests({
    rule: 'client/upload-content-type',
    advice: 'Send the PUT with the same Content-Type as in the body of the upload-url request.',
    applies: (request, traffic) => uploadOfPut(request, traffic)?.contentType !== undefined,
    judge(request, traffic) {
      const upload = uploadOfPut(request, traffic);
      const [wanted = '', sent = ''] = [upload?.contentType, request.requestHeaders['content-type']];
      if (upload === undefined || normalised(wanted) === normalised(sent)) return null;
      return {
        expected: `Content-Type: ${wanted}`,
        observed: sent === '' ? 'no Content-Type' : `Content-Type: ${sent}`,
        with: [upload.start],
      };
    },
  }),
  dutyOfRequests({
    rule: 'client/upload-in-time',
    advice: 'Check uploadUrlExpiresAt before the PUT, and ask for a new URL when the time has passed.',
    applies: isPut,
    judge(request, traffic) {
      const upload = uploadOfPut(request, traffic);
      const late = request.sentAt - (upload?.expiresAt ?? Number.NaN);
      if (upload === undefined || !(late > 0)) return null;
      return {
        expected: 'a PUT before uploadUrlExpiresAt',
        observed: `${Math.ceil(late / 1000)} s too late`,
        with: [upload.start],
      };
    },
  }),
  dutyOfRequests({
    rule: 'client/register-after-put',
    advice: 'Wait for the reply to the PUT, and register the file only after a success.',
    applies: (request, traffic) => isRegistration(request) && uploadOfRegistration(request, traffic) !== undefined,
    judge(request, traffic) {
      const { start, puts } = uploadOfRegistration(request, traffic) as ClientUpload;
      if (puts.some((put) => succeeded(put) && put.doneAt <= request.sentAt)) return null;
      const last = puts.findLast(({ sentAt }) => sentAt <= request.sentAt);
      const observed = last === undefined ? 'no PUT before it' : `the PUT before it got ${last.status ?? 'no reply'}`;
      return { expected: 'a PUT that was answered with success', observed, with: [start, ...(last ? [last] : [])] };
    },
  }),
  dutyOfRequests({
    rule: 'client/register-issued-key',
    advice: 'Register the file with the fileKey from upload-url, at the same site.',
    applies: isRegistration,
    judge(request, traffic) {
      const upload = uploadOfRegistration(request, traffic);
      if (upload === undefined) {
        if (succeeded(request)) return 'a file was registered whose upload began before the recording';
        return {
          expected: 'a fileKey from upload-url',
          observed: `fileKey ${JSON.stringify(bodyOf(request).fileKey) ?? 'none'}, which no reply contained`,
        };
      }
      const [asked = '', named = ''] = [upload.start.params.id, request.params.id];
      return asked === named ? null : { expected: `site ${asked}`, observed: `site ${named}`, with: [upload.start] };
    },
  }),
  dutyOfHabits({
    rule: 'client/finishes-uploads',
    advice: 'Register the file after the PUT: until then it is not on the site.',
    judge(traffic) {
      const stored = uploadsOf(traffic).filter(({ puts }) => puts.some(succeeded));
      const breaches = stored
        .filter(({ registrations }) => registrations.length === 0)
        .map(({ puts, start }) => ({
          exchange: puts.find(succeeded) as SentRequest,
          expected: 'a registration after the PUT',
          observed: 'none',
          with: [start],
        }));
      return { applied: stored.length, breaches };
    },
  }),
];
