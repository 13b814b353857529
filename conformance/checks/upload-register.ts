import { type Check, type CheckContext, check } from '../check.ts';
import { expectControl, expectThat, statusOf } from '../expect.ts';
import { Inconclusive, Unexpected } from '../outcome.ts';
import { type Reply, succeeded } from '../reply.ts';
import { errorCode, refusalPatch } from './error-body.ts';
import { someBytes, startUpload } from './upload-flow.ts';

// A registered file cannot be taken away again. Whatever registers, or would where a rule is broken, counts as leftovers.
const leaving = { uses: ['startSiteFileUpload', 'registerSiteFile'], writes: 'leftovers' } as const;

const contentType = 'text/plain';

type Needed = Pick<CheckContext, 'call' | 'put' | 'shared'>;

interface Uploaded {
  readonly fileKey: string;
}

async function uploaded(context: Pick<CheckContext, 'call' | 'put'>, site: string): Promise<Uploaded> {
  const { fileKey, url } = await startUpload(context, site, contentType);
  expectControl(await context.put(url, contentType, someBytes), 'a PUT to the upload URL');
  return { fileKey };
}

/** One file for all checks of a run that need a registered one: no more is left behind than must be. */
const registeredOnce = (context: Needed, site: string) =>
  context.shared('upload/registered', async () => {
    const { fileKey } = await uploaded(context, site);
    const register = (more: object) =>
      context.call('registerSiteFile', { params: { id: site }, body: { fileKey, ...more } });
    const first = await register({});
    // Other fields of the request are not shown, so one that is missing may be what is objected to.
    const reply = [400, 422].includes(first.status) ? await register({ name: 'partnerkit-check.txt' }) : first;
    return { fileKey, reply };
  });

function expectRegistered(reply: Reply): void {
  if (reply.planned || succeeded(reply)) return;
  if (reply.status === 400 || reply.status === 422)
    throw new Inconclusive(`${statusOf(reply)}: perhaps for want of a field that the specification does not show`);
  throw new Unexpected('registering uploaded bytes succeeds: a 2xx', statusOf(reply));
}

const registers = check({
  ...leaving,
  id: 'upload/register',
  rule: 'upload/register-takes-file-key',
  title: 'the fileKey of uploaded bytes is registered',
  needs: ['site'],
  async run(context) {
    const { reply } = await registeredOnce(context, context.given.site);
    expectRegistered(reply);
  },
});

const fields = ['fileKey', 'siteId', 'name', 'contentType', 'size', 'createdAt'];

const reply = check({
  ...leaving,
  id: 'upload/register-reply',
  rule: 'upload/registration-reply',
  title: 'how a registration is answered',
  needs: ['site'],
  async run(context) {
    const { reply } = await registeredOnce(context, context.given.site);
    expectControl(reply, 'registering');
    const there = typeof reply.json === 'object' && reply.json !== null ? Object.keys(reply.json) : [];
    const answer = `answered ${reply.status} with ${there.join(', ') || 'no fields'}`;
    context.observe(answer, { upload: { registerStatus: reply.status } });
    const odd = there.filter((name) => !fields.includes(name));
    expectThat(reply, reply.status === 201 && odd.length === 0, `201 with ${fields.join(', ')}`, answer);
  },
});

/** How an open question about registering was answered, for the profile: a success where that is what it was. */
function refusalOf(reply: Reply) {
  const code = errorCode(reply);
  return { status: reply.status, ...(code !== undefined && { code }) };
}

const twice = check({
  ...leaving,
  id: 'upload/register-twice',
  rule: 'upload/register-twice-is-409',
  title: 'how registering a fileKey again is answered',
  needs: ['site'],
  async run(context) {
    const { call, given, observe } = context;
    const first = await registeredOnce(context, given.site);
    expectControl(first.reply, 'registering');
    const again = await call('registerSiteFile', { params: { id: given.site }, body: { fileKey: first.fileKey } });
    observe(`answered ${again.status}`, again.planned ? undefined : { upload: { registerTwice: refusalOf(again) } });
    expectThat(again, again.status === 409, '409', `answered ${again.status}`);
  },
});

const beforePut = check({
  ...leaving,
  id: 'upload/register-before-put',
  rule: 'upload/register-before-put-is-422',
  title: 'how registering a fileKey whose bytes were never sent is answered',
  needs: ['site'],
  async run(context) {
    const { call, given, observe } = context;
    const { fileKey } = await startUpload(context, given.site, contentType);
    const early = await call('registerSiteFile', { params: { id: given.site }, body: { fileKey } });
    observe(
      `answered ${early.status}`,
      early.planned ? undefined : { upload: { registerBeforePut: refusalOf(early) } },
    );
    expectThat(early, early.status === 422, '422', `answered ${early.status}`);
  },
});

const unknown = check({
  ...leaving,
  id: 'upload/register-unknown',
  rule: 'errors/unknown-is-404',
  title: 'how registering a fileKey that was never issued is answered',
  needs: ['site'],
  async run({ call, given, newId, observe }) {
    const none = await call('registerSiteFile', { params: { id: given.site }, body: { fileKey: newId() } });
    observe(`answered ${none.status}`, refusalPatch('unknown-file-key', none));
    expectThat(none, none.status === 404, '404', `answered ${none.status}`);
  },
});

const otherSite = check({
  ...leaving,
  id: 'upload/register-other-site',
  rule: 'errors/unknown-is-404',
  title: 'how registering the fileKey of one site at another is answered',
  needs: ['currentSite', 'legacySite'],
  async run(context) {
    const { call, given, observe } = context;
    const { fileKey } = await uploaded(context, given.currentSite);
    const other = await call('registerSiteFile', { params: { id: given.legacySite }, body: { fileKey } });
    observe(`answered ${other.status}`, refusalPatch('foreign-file-key', other));
    expectThat(other, other.status === 404, '404', `answered ${other.status}`);
  },
});

const foreign = check({
  ...leaving,
  id: 'upload/register-foreign',
  rule: 'isolation/writes-stay-in-tenant',
  title: 'a fileKey that was issued to another tenant, bytes and all, cannot be registered',
  needs: ['site', 'strangerSite'],
  keys: { stranger: { of: 'stranger', scopes: ['siteFile:write'] } },
  async run(context) {
    const { call, put, given, keys } = context;
    const as = keys.stranger;
    const { fileKey, url } = await startUpload(context, given.strangerSite, contentType, { as });
    expectControl(await put(url, contentType, someBytes), 'a PUT to the upload URL');
    const taken = await call('registerSiteFile', { params: { id: given.site }, body: { fileKey } });
    expectThat(taken, taken.status >= 400, "another tenant's fileKey is not registered", `answered ${taken.status}`);
    const params = { id: given.strangerSite };
    expectControl(await call('registerSiteFile', { params, body: { fileKey }, as }), 'registering by its own tenant');
  },
});

const directBytes = check({
  ...leaving,
  id: 'upload/no-direct-bytes/register',
  rule: 'upload/no-direct-bytes',
  title: 'bytes sent to the API in place of a registration are not taken',
  needs: ['site'],
  async run(context) {
    const { call, given } = context;
    const boundary = 'partnerkit-boundary';
    const form = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="check.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`;
    const ways = [
      { method: 'POST', body: someBytes, type: contentType },
      { method: 'POST', body: form, type: `multipart/form-data; boundary=${boundary}` },
      { method: 'PUT', body: someBytes, type: contentType },
    ];
    for (const { method, body, type } of ways) {
      const sent = { params: { id: given.site }, body, method, headers: { 'content-type': type } };
      const reply = await call('registerSiteFile', sent);
      expectThat(reply, reply.status >= 400, 'bytes are not taken by the API', `${type}: answered ${reply.status}`);
    }
  },
});

/** The third step of the upload flow, and what must not stand in for it. */
export const uploadRegister: readonly Check[] = [
  registers,
  reply,
  twice,
  beforePut,
  unknown,
  otherSite,
  foreign,
  directBytes,
];
