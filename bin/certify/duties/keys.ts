import { isToApi, pathOf, type SentRequest, type Traffic } from '../traffic.ts';
import { type Duty, perRequest, perRun } from './duty.ts';

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
  const isCredential = (name: string, value: string) =>
    holds(value) || (name === 'authorization' && /^(?:bearer|basic)\b/i.test(value));
  return [
    ...(holds(url) ? ['the URL'] : []),
    ...Object.entries(requestHeaders)
      .filter(([name, value]) => name !== 'x-api-key' && isCredential(name, value))
      .map(([name]) => (name === 'cookie' ? 'a cookie' : `the header ${name}`)),
    ...(requestBody !== null && holds(requestBody) ? ['the body'] : []),
  ];
}

/** Duties about where a client sends its key. */
export const keyDuties: readonly Duty[] = [
  {
    rule: 'client/key-in-header',
    advice: 'Send the key in the header x-api-key with every request to the API.',
    cases: perRequest(isToApi, ({ credential }) =>
      credential === 'key' ? null : ['the key in the header x-api-key', credentialWords[credential] ?? credential],
    ),
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
    needs: 'a run of the client',
    cases: perRun(({ printsKey, requests: [first] }) => {
      if (printsKey === null || first === undefined) return [];
      return [printsKey ? [first, 'no key', 'the key in its output'] : null];
    }),
  },
];
