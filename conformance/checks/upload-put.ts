import { type Check, check } from '../check.ts';
import { expectControl, expectRefusal, expectThat, statusOf } from '../expect.ts';
import { Inconclusive } from '../outcome.ts';
import { type Reply, succeeded } from '../reply.ts';
import { parseDateTime, someBytes, startUpload, targetIn } from './upload-flow.ts';

// Bytes that are sent to an upload URL and never registered are not on the site: none of these checks leaves anything.
const uses = ['startSiteFileUpload'] as const;

/** @throws Unexpected unless the storage took the bytes. */
function expectTaken(reply: Reply, what: string): void {
  expectThat(reply, succeeded(reply), `${what} succeeds`, `answered ${reply.status}`);
}

const accepted = ['text/plain', 'image/png', 'application/pdf'].map((contentType) =>
  check({
    id: `upload/put/${contentType.replace('/', '-')}`,
    rule: 'upload/put-accepts-bytes',
    title: `bytes of the type that was asked for are taken at the upload URL, without a key: ${contentType}`,
    needs: ['site'],
    uses,
    async run(context) {
      const { url } = await startUpload(context, context.given.site, contentType);
      const reply = await context.put(url, contentType, someBytes);
      expectTaken(reply, 'a PUT with the type that was asked for');
      if (!reply.planned) context.observe(`answered ${reply.status}`, { upload: { putStatus: reply.status } });
    },
  }),
);

interface Mismatch {
  readonly slug: string;
  readonly words: string;
  readonly asked: string;
  readonly sent: string | null;
}

const mismatches: readonly Mismatch[] = [
  { slug: 'other', words: 'an entirely different type', asked: 'image/png', sent: 'text/plain' },
  { slug: 'same-family', words: 'another type of the same family', asked: 'image/png', sent: 'image/jpeg' },
  { slug: 'longer', words: 'a type that only begins alike', asked: 'image/png', sent: 'image/pngx' },
  { slug: 'shorter', words: 'the beginning of the type alone', asked: 'image/svg+xml', sent: 'image/svg' },
  { slug: 'none', words: 'no Content-Type at all', asked: 'image/png', sent: null },
];

const refused = mismatches.map(({ slug, words, asked, sent }) =>
  check({
    id: `upload/put-mismatch/${slug}`,
    rule: 'upload/put-content-type-must-match',
    title: `a PUT with ${words} is refused`,
    needs: ['site'],
    uses,
    async run(context) {
      const { url } = await startUpload(context, context.given.site, asked);
      const reply = await context.put(url, sent, someBytes);
      const control = await context.put(url, asked, someBytes);
      if (reply.status >= 400) expectControl(control, 'a PUT with the type that was asked for');
      expectRefusal(reply, `asked for ${asked}, sent ${sent ?? 'no Content-Type'}`);
    },
  }),
);

const tampered = check({
  id: 'upload/put-tampered',
  rule: 'upload/target-url',
  title: 'how a PUT to a URL with another signature is answered',
  needs: ['site'],
  uses,
  async run(context) {
    const { url } = await startUpload(context, context.given.site, 'text/plain');
    const parsed = new URL(url);
    const name = [...parsed.searchParams.keys()].find((key) => /sig/i.test(key) && !/sign(ed|ing)/i.test(key));
    const signature = name === undefined ? null : parsed.searchParams.get(name);
    if (name === undefined || !signature) {
      context.observe('the URL has no signature that can be recognised');
      return;
    }
    const first = signature.startsWith('0') ? '1' : '0';
    parsed.searchParams.set(name, `${first}${signature.slice(1)}`);
    const reply = await context.put(parsed.href, 'text/plain', someBytes);
    // That nobody but the API can make such URLs is what presigned means, but the specification gives it no words.
    context.observe(
      succeeded(reply) ? `an altered signature is taken: ${reply.status}` : `refused with ${reply.status}`,
    );
  },
});

/** Well above the limit of requests to the API, whichever megabyte is meant. */
const largeBytes = 11 * 1024 * 1024;

const large = check({
  id: 'upload/put-large',
  rule: 'upload/file-may-exceed-10mb',
  title: 'a file of 11 MB, more than a request to the API may have, goes through the upload URL',
  needs: ['site'],
  uses,
  async run(context) {
    const { url } = await startUpload(context, context.given.site, 'application/octet-stream');
    const control = await startUpload(context, context.given.site, 'application/octet-stream');
    expectControl(await context.put(control.url, 'application/octet-stream', someBytes), 'a PUT of a few bytes');
    const reply = await context.put(url, 'application/octet-stream', new Uint8Array(largeBytes));
    expectTaken(reply, 'a PUT of 11 MB');
  },
});

/** A URL that claims to live longer is not waited for: that claim is judged by another check. */
const longestWait = 600_000;

const expired = check({
  id: 'upload/put-expired',
  rule: 'upload/expired-url-is-refused',
  title: 'once its expiry has passed, a PUT to the URL is refused',
  needs: ['site'],
  uses,
  slow: true,
  async run(context) {
    const { given, put, sleep, now, deployment } = context;
    const control = await startUpload(context, given.site, 'text/plain');
    const { url, reply } = await startUpload(context, given.site, 'text/plain');
    expectControl(await put(control.url, 'text/plain', someBytes), 'a PUT before the expiry');
    const expires = parseDateTime(targetIn(reply).uploadUrlExpiresAt);
    if (expires === null && !reply.planned) throw new Inconclusive('uploadUrlExpiresAt is no date-time');
    const wait = (expires ?? now()) + deployment.clockSkewSeconds * 1000 + 2_000 - now();
    if (wait > longestWait)
      throw new Inconclusive(`the URL says it expires in ${Math.round(wait / 1000)} s, too long to wait`);
    await sleep(Math.max(0, wait));
    const late: Reply = await put(url, 'text/plain', someBytes);
    if (!late.planned && now() < (expires ?? 0)) throw new Inconclusive('interrupted');
    const after = `${Math.round((now() - (expires ?? 0)) / 1000)} s after it: ${statusOf(late)}`;
    expectThat(late, late.status >= 400, 'a PUT after uploadUrlExpiresAt is refused', after);
  },
});

/** The second step of the upload flow. */
export const uploadPut: readonly Check[] = [...accepted, ...refused, tampered, large, expired];
