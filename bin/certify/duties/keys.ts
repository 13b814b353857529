import { isToApi, pathOf, type SentRequest, type Traffic } from '../traffic.ts';
import { type Duty, dutyOfRequests } from './duty.ts';

const credentialWords: Partial<Record<SentRequest['credential'], string>> = {
  none: 'no key',
  empty: 'an empty x-api-key header',
  bearer: 'Authorization: Bearer, which the API does not support',
  authorization: 'an Authorization header',
  query: 'the key in the URL',
  cookie: 'the key in a cookie',
  'other-header': 'the key in a header of another name',
};

/** The places besides x-api-key that hold a key. */
function strayPlaces({ url, requestHeaders, requestBody }: SentRequest, { marks }: Traffic): string[] {
  const holds = (text: string) => marks.some((mark) => text.includes(mark));
  return [
    ...(holds(url) ? ['the URL'] : []),
    ...Object.entries(requestHeaders)
      .filter(
        ([name, value]) => name !== 'x-api-key' && (holds(value) || (name === 'authorization' && isBearer(value))),
      )
      .map(([name]) => (name === 'cookie' ? 'a cookie' : `the header ${name}`)),
    ...(requestBody !== null && holds(requestBody) ? ['the body'] : []),
  ];
}

const isBearer = (value: string) => /^(?:bearer|basic)\b/i.test(value);

/** Duties about where a client sends its key. */
export const keyDuties: readonly Duty[] = [
  dutyOfRequests({
    rule: 'client/key-in-header',
    advice: 'Send the key in the header x-api-key with every request to the API.',
    applies: isToApi,
    judge: ({ credential }) =>
      credential === 'key'
        ? null
        : { expected: 'the key in the header x-api-key', observed: credentialWords[credential] ?? credential },
  }),
  dutyOfRequests({
    rule: 'client/key-nowhere-else',
    advice: 'Send the key in x-api-key only: URLs and bodies end up in logs.',
    applies: isToApi,
    judge(request, traffic) {
      const places = strayPlaces(request, traffic);
      return places.length === 0
        ? null
        : { expected: 'the key in x-api-key alone', observed: `the key in ${places.join(' and ')}` };
    },
  }),
  dutyOfRequests({
    rule: 'client/key-not-to-storage',
    advice:
      'Send the PUT with Content-Type only. The URL is signed and needs no key, and the store may belong to another company.',
    // Also what is not a PUT, such as a HEAD that checks the upload.
    applies: ({ operation, url }) => operation === 'storage' || pathOf(url).startsWith('/storage/'),
    judge(request, traffic) {
      const places = [
        ...(request.requestHeaders['x-api-key'] === undefined ? [] : ['the header x-api-key']),
        ...strayPlaces(request, traffic),
      ];
      return places.length === 0 ? null : { expected: 'no key', observed: `the key in ${places.join(' and ')}` };
    },
  }),
  {
    rule: 'client/key-not-in-output',
    advice: 'Leave x-api-key out of what you log, also of the headers of failed requests.',
    needs: 'a run of the client',
    judge(all) {
      const runs = all.filter(({ printsKey, requests }) => printsKey !== null && requests.length > 0);
      const breaches = runs.flatMap(({ printsKey, requests }) =>
        printsKey && requests[0]
          ? [{ exchange: requests[0], expected: 'no key', observed: 'the key in its output' }]
          : [],
      );
      return { applied: runs.length, breaches };
    },
  },
];
