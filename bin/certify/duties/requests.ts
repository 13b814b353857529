import { jsonOf, succeeded, valuesOf } from '../../../conformance/history/exchange.ts';
import { operations } from '../../../spec/operations.ts';
import { uuid } from '../../../spec/text/uuid.ts';
import { isBodyKnown, isToApi, pathOf, type SentRequest, type Traffic } from '../traffic.ts';
import { anUpload, type Duty, perRequest, perRun } from './duty.ts';

const hasBody = (request: SentRequest) => isToApi(request) && request.requestBytes > 0;
const typeOf = ({ requestHeaders }: SentRequest) => (requestHeaders['content-type'] ?? '').toLowerCase();
const isJson = (type: string) => /^application\/(?:[\w.+-]+\+)?json\b/.test(type);
const isOfFile = (type: string) =>
  /^(?:multipart|image|video|audio|font)\/|^application\/(?:octet-stream|pdf|zip|gzip)\b/.test(type);

/** The specification says 10MB, which is no less than this. */
const maxBytes = 10 * 1024 * 1024;

/** Whether a value is the content of a file: many numbers, or a text that nobody writes. Base64 may come in lines. */
function isContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length >= 64 && value.every(Number.isInteger);
  if (typeof value !== 'string') return false;
  return /\S{256}|^data:[^,]*;base64,/.test(value.replaceAll(/[\r\n]/g, '')) || /[^\P{Cc}\s]/u.test(value);
}

/** The places besides x-api-key that hold a key. */
function strayPlaces({ url, requestHeaders, requestBody }: SentRequest, { marks }: Traffic): string[] {
  const holds = (text: string) => marks.some((mark) => text.includes(mark));
  const isCredential = (name: string, value: string) =>
    holds(value) || (name === 'authorization' && /^(?:bearer|basic)\b/i.test(value));
  return [
    ...(holds(url) || /[?&](?:x-)?api[-_]?key=/i.test(url) ? ['the URL'] : []),
    ...Object.entries(requestHeaders)
      .filter(([name, value]) => name !== 'x-api-key' && isCredential(name, value))
      .map(([name]) => (name === 'cookie' ? 'a cookie' : `the header ${name}`)),
    ...(requestBody !== null && holds(requestBody) ? ['the body'] : []),
  ];
}

/** Duties about the form of a request, and about where a client sends its key. */
export const requestDuties: readonly Duty[] = [
  {
    rule: 'client/key-in-header',
    advice: 'Send the key in the header x-api-key with every request to the API.',
    cases: perRequest(isToApi, (request, run) => {
      if (request.credential === 'key') return null;
      const places = strayPlaces(request, run).join(' and ');
      const observed = request.credential === 'empty' ? 'an empty x-api-key header' : 'x-api-key: missing';
      return ['the key in the header x-api-key', places ? `the key in ${places}` : observed];
    }),
  },
  {
    rule: 'client/key-nowhere-else',
    advice: 'Send the key in x-api-key only: URLs and bodies end up in logs.',
    cases: perRequest(isToApi, (request, run) => {
      const places = strayPlaces(request, run);
      return places.length === 0 ? null : ['the key in x-api-key alone', `the key in ${places.join(' and ')}`];
    }),
  },
  {
    rule: 'client/key-not-to-storage',
    advice:
      'Send the PUT with Content-Type only. The URL is signed and needs no key, and the store may belong to another company.',
    needs: anUpload,
    cases: perRequest(
      // Also what is not a PUT, such as a HEAD that checks the upload.
      ({ operation, url }) => operation === 'storage' || pathOf(url).startsWith('/storage/'),
      (request, run) => {
        const inHeader = request.requestHeaders['x-api-key'] === undefined ? [] : ['the header x-api-key'];
        const places = [...inHeader, ...strayPlaces(request, run)];
        return places.length === 0 ? null : ['no key', `the key in ${places.join(' and ')}`];
      },
    ),
  },
  {
    rule: 'client/key-not-in-output',
    advice: 'Leave x-api-key out of what you log, also of the headers of failed requests.',
    needs: 'show its output: run `npx partnerkit certify -- npm test`',
    cases: perRun(({ printsKey, requests: [first] }) => {
      if (printsKey === null || first === undefined) return [];
      return [printsKey ? [first, 'no key', 'the key in what it prints'] : null];
    }),
    printed: (runs) => runs.flatMap(({ printsKey }) => printsKey || [])[0],
  },
  {
    rule: 'client/json-bodies',
    advice: 'Send Content-Type: application/json and a body that is JSON.',
    needs: 'send a request with a body',
    cases: perRequest(
      (request) => hasBody(request) && !isOfFile(typeOf(request)),
      (request) => {
        const type = typeOf(request);
        if (!isJson(type)) return ['Content-Type: application/json', type || 'Content-Type: missing'];
        const { requestBody: body } = request;
        if (body === null || !isBodyKnown(request)) return null;
        return jsonOf({ body }) === undefined ? ['JSON', body.slice(0, 80)] : null;
      },
    ),
  },
  {
    rule: 'client/bytes-to-storage',
    advice: 'PUT the bytes to uploadUrl: the API itself takes no files.',
    needs: 'send a request with a body',
    cases: perRequest(hasBody, (request) => {
      const expected = 'the bytes in a PUT to the upload URL';
      const { requestBody, requestBytes } = request;
      if (isOfFile(typeOf(request))) return [expected, `${requestBytes} bytes of ${typeOf(request)}`];
      // What is too long to be kept whole is no JSON any more.
      const found = valuesOf(jsonOf({ body: requestBody }) ?? requestBody).find(([, value]) => isContent(value));
      return found ? [expected, `the content of a file in ${found[0].join('.') || 'the body'}`] : null;
    }),
  },
  {
    rule: 'client/request-size',
    advice: 'Send less at once; files go to the upload URL, which has no such limit.',
    cases: perRequest(isToApi, ({ requestBytes, status }) => {
      // A body in chunks has no announced length.
      if (requestBytes <= maxBytes && status !== 413) return null;
      return ['at most 10 MB', requestBytes > 0 ? `${requestBytes} bytes` : 'a body that got 413'];
    }),
  },
  {
    rule: 'client/known-operations',
    advice: 'Correct the path or the method: the mock lists all operations at /_mock#/reference.',
    cases: perRequest(
      ({ operation, url }) => operation !== 'storage' && !pathOf(url).startsWith('/_mock'),
      ({ operation, method, url, status }) =>
        operation !== null || succeeded({ status }) ? null : ['a path and method that the API has', `${method} ${url}`],
    ),
  },
  {
    rule: 'client/ids-as-given',
    advice: 'Ask GET /v1/labels for the id. Names of labels and made-up ids do not work.',
    needs: 'send a request with an id in its path',
    cases: perRequest(
      ({ operation }) =>
        operation !== null && operation !== 'storage' && operations[operation].pathParameters.length > 0,
      (request, { given, requests }) => {
        const { labelId, clientId } = request.params;
        if (labelId !== undefined && !uuid.test(labelId)) return ['the id of a label, a UUID', labelId];
        // From its environment, or from a list of labels before this request.
        const isKnown = (id: string) =>
          given.has(id) ||
          requests.some(
            (one) => one.doneAt <= request.sentAt && one.operation === 'listLabels' && one.body?.includes(id),
          );
        if (labelId !== undefined && request.status === 404 && !isKnown(labelId))
          return ['an id that GET /v1/labels has listed', `${labelId}, which it has not`];
        return clientId === undefined || clientId.startsWith('ovcid-')
          ? null
          : ['the id of a client, ovcid-…', clientId];
      },
    ),
  },
];
