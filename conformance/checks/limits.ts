import { type Check, type CheckContext, check } from '../check.ts';
import { expectControl, expectRefusal, expectThat, statusOf } from '../expect.ts';
import { Unexpected } from '../outcome.ts';
import { succeeded } from '../reply.ts';
import { errorCode, refusalPatch } from './error-body.ts';

const id = 'startSiteFileUpload';

/** Either side of 10,000,000 and of 10,485,760 bytes: which of them is the limit is not shown. */
const below = 9_000_000;
const above = 11 * 1024 * 1024;

/** A start of an upload with as much white space inside as makes it that large: JSON of the same meaning, and stores nothing. */
export function padded(size: number): Uint8Array {
  const bytes = new Uint8Array(size).fill(0x20);
  const [head, tail] = ['{', '"contentType":"text/plain"}'].map((text) => new TextEncoder().encode(text));
  if (head !== undefined) bytes.set(head, 0);
  if (tail !== undefined) bytes.set(tail, size - tail.length);
  return bytes;
}

type Needed = CheckContext<'site', never>;

const start = ({ call, given }: Needed, size: number) => call(id, { params: { id: given.site }, body: padded(size) });

const control = async (context: Needed) =>
  expectControl(await start(context, 100), 'the same request with a small body');

/** Eleven megabytes are sent once in a run. */
const aboveOnce = (context: Needed) => context.shared('limits/above', () => start(context, above));

const passes = check({
  id: 'limits/below',
  rule: 'limits/below-10mb-passes',
  title: 'a body of 9 MB is not refused for its size',
  needs: ['site'],
  uses: [id],
  async run(context) {
    await control(context);
    const reply = await start(context, below);
    // The small one has passed and differs in nothing but white space, so any refusal is for the size.
    if (!reply.planned && !succeeded(reply)) throw new Unexpected('a body of 9 MB passes', statusOf(reply));
  },
});

const refused = check({
  id: 'limits/above',
  rule: 'limits/above-10mb-is-refused',
  title: 'a body of 11 MB does not succeed',
  needs: ['site'],
  uses: [id],
  async run(context) {
    await control(context);
    const reply = await aboveOnce(context);
    expectRefusal(reply, 'a body of 11 MB');
  },
});

const tooLarge = check({
  id: 'limits/above-status',
  rule: 'limits/too-large-is-413',
  title: 'how a body of 11 MB is answered',
  needs: ['site'],
  uses: [id],
  async run(context) {
    await control(context);
    const reply = await aboveOnce(context);
    const answer = `answered ${reply.status} ${errorCode(reply) ?? ''}`.trim();
    context.observe(answer, refusalPatch('too-large', reply));
    expectThat(reply, reply.status === 413, '413', answer);
  },
});

/** The size of requests. */
export const limits: readonly Check[] = [passes, refused, tooLarge];
