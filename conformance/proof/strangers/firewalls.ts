import { blocking, message, page, strangers } from './stranger.ts';

const isOdd = ({ request: { url } }: { request: { url: string } }) => /%00|%25|%2f|\w\/\/|'|%27|\.\.|%3c/i.test(url);
export const ever = 1e6;
export const blocked = 'from then on it is served nothing';
export const often = 'a large part of a run falls into blocks';

/** Firewalls that block who was refused too often: their words are not the service's, and the specification says nothing of them. */
export const firewalls = strangers({
  '100-for-good': ['closes for good after 100 refusals', blocking([100, ever, ever], 'close'), blocked],
  '150-for-good': [
    'says 403 for good after 150 refusals',
    blocking([150, ever, ever], page(403, 'awselb/2.0')),
    blocked,
  ],
  '100-in-a-minute': [
    'says 403 with a page for 20 s after 100 refusals in a minute',
    blocking([100, 60, 20], page(403, 'cloudflare')),
    often,
  ],
  'unknown-keys': [
    'says 403 to everything for 15 s after 30 requests with unknown keys in a minute',
    blocking([30, 60, 15], message(403, 'Forbidden'), ({ key, reply }) => !key && reply.status === 403),
    often,
  ],
  'odd-paths-25': ['says 403 for 20 s after 25 odd paths', blocking([25, ever, 20], page(403, 'CloudFront'), isOdd)],
  'odd-paths-10': ['closes for 10 s after 10 odd paths in half a minute', blocking([10, 30, 10], 'close', isOdd)],
  'blocks-a-key': [
    'says 403 to a key for 10 s after 40 refusals of this key in a minute',
    blocking([40, 60, 10], message(403, 'Key disabled for a while'), undefined, ({ key }) => key?.name ?? '-'),
    often,
  ],
  'missing-records': [
    'says 404 with a page for 8 s after 50 replies of 404 in half a minute',
    blocking([50, 30, 8], page(404), ({ reply }) => reply.status === 404),
  ],
  challenge: [
    'says 503 with a challenge for 12 s after 80 refusals',
    blocking([80, ever, 12], page(503, 'cloudflare')),
  ],
});
