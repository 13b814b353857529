/**
 * A client as a partner might write it, with fetch: labels a conversation, its site and a link, and uploads a file. Right unless
 * DEFECT names what it does wrong.
 */
const env = (name: string) => process.env[`PARTNERKIT_${name}`] ?? '';
const [base, key] = [env('URL'), env('KEY')];
const [site, client, conversation] = [env('SITE'), env('CLIENT'), env('CONVERSATION')];
const defect = process.env.DEFECT ?? '';
const is = (...names: string[]) => names.includes(defect);

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

function pauseAfter(attempt: number, reply: Response | null): number {
  const asked = Number(reply?.headers.get('retry-after') ?? 0) * (is('retry-after-in-milliseconds') ? 1 : 1000);
  if (is('retry-storm')) return 0;
  if (is('constant-pauses')) return Math.max(asked, 150 + Math.random() * 20);
  // Half a second is what clients usually begin with; the right one is quick, so that its rounds are.
  const growing = is('no-jitter') ? 500 * 2 ** attempt : 80 * 2 ** attempt * (1 + Math.random());
  const own = Math.min(is('endless-retry') ? 250 : 60_000, growing);
  if (is('retry-after-ignored')) return own;
  if (is('fixed-wait') && asked > 0) return 1_050;
  return Math.max(asked + Math.random() * 50, own);
}

const attempts = is('endless-retry') ? 1_000 : is('no-retry') ? 1 : is('one-retry') ? 2 : 5;

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { 'x-api-key': key };
  if (is('bearer')) {
    delete headers['x-api-key'];
    headers.authorization = `Bearer ${key}`;
  }
  if (is('bearer-too')) headers.authorization = `Bearer ${key}`;
  if (is('key-in-cookie')) headers.cookie = `key=${key}`;
  if (is('no-keep-alive')) headers.connection = 'close';
  if (body !== undefined) headers['content-type'] = is('text-body') ? 'text/plain' : 'application/json';
  const url =
    base + (is('missing-prefix') && path === '/v1/labels' ? '/labels' : path) + (is('key-in-url') ? `?key=${key}` : '');
  for (let attempt = 0; ; attempt++) {
    const last = attempt + 1 >= attempts;
    let reply: Response;
    try {
      const text = body === undefined ? null : JSON.stringify(body);
      const limit = is('impatient') ? { signal: AbortSignal.timeout(500) } : {};
      reply = await fetch(url, { method, headers, body: text, ...limit });
      // A body that breaks off is no reply.
      reply = new Response(reply.status === 204 ? null : await reply.text(), {
        status: reply.status,
        headers: reply.headers,
      });
    } catch (error) {
      if (last || is('no-retry-of-lost-replies', 'impatient') || (is('gives-up-on-labels') && method === 'PUT'))
        throw error;
      await sleep(is('retry-storm') ? 0 : pauseAfter(attempt, null));
      continue;
    }
    const again = reply.status === 429 || (reply.status === 503 && !is('no-retry-of-503'));
    const refusedAgain = is('retry-of-4xx') && reply.status >= 400 && reply.status !== 429;
    if (is('no-retry-of-429') && reply.status === 429) return reply;
    if (is('waits-a-second-at-most') && Number(reply.headers.get('retry-after')) > 1) return reply;
    if (is('gives-up-quietly') && last && reply.status === 503) return new Response('{}');
    if (last || !(again || refusedAgain)) return reply;
    await sleep(pauseAfter(attempt, reply));
  }
}

class Refused extends Error {
  constructor(status: number, what: string) {
    super(`${what}: ${status}`);
  }
}

async function call(method: string, path: string, body?: unknown, fine: readonly number[] = []) {
  const reply = await send(method, path, body);
  if (is('takes-403-for-nothing-to-do') && reply.status === 403) return {};
  if (!reply.ok && !fine.includes(reply.status) && !is('swallows-errors'))
    throw new Refused(reply.status, `${method} ${path}`);
  const text = await reply.text();
  if (is('exact-status') && method === 'PUT' && reply.status !== 200) throw new Refused(reply.status, path);
  if (is('exact-201') && path.endsWith('/file') && reply.status !== 201) throw new Refused(reply.status, path);
  return text === '' ? {} : JSON.parse(text);
}

async function labelId(name: string): Promise<string> {
  if (is('made-up-label-id')) return crypto.randomUUID();
  const { labels } = await call('GET', '/v1/labels');
  if (is('first-page-only'))
    return (labels.slice(0, 50).find((label: { name: string }) => label.name === name) as { id: string }).id;
  const found = is('label-by-place') ? labels[7] : labels.find((label: { name: string }) => label.name === name);
  if (is('label-by-name')) return name;
  if (found === undefined) throw new Error(`there is no label ${name}`);
  return found.id;
}

/** Reads a context. */
function read(context: Awaited<ReturnType<typeof call>>): void {
  const known = new Set('subject messages status type urgency labels requester participants sites'.split(' '));
  if (is('crash-on-unknown-field'))
    for (const name of Object.keys(context)) if (!known.has(name)) throw new Error(`what is ${name}?`);
  if (is('crash-on-unknown-status') && !['open', 'closed', 'pending'].includes(context.status ?? 'open'))
    throw new Error('what status is that?');
  if (is('needs-urgency')) console.log(context.urgency.toUpperCase());
  if (is('needs-messages')) console.log(context.messages.length);
  if (is('needs-a-message') && context.messages !== undefined)
    console.log((context.messages[0] as { text: string }).text);
  if (is('needs-message-text')) for (const message of context.messages ?? []) console.log(message.text.length);
  if (is('labels-are-names') && context.labels?.some((label: string) => /^[0-9a-f-]{36}$/.test(label)))
    throw new Error('an id?');
  if (is('site-id-is-a-number') || is('site-id-has-prefix')) return;
  console.log(context.subject ?? '(no subject)', context.messages?.length ?? 0);
}

const bytes = new TextEncoder().encode('a picture of a boiler');

async function put(url: string, contentType: string): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': is('wrong-content-type') ? 'application/octet-stream' : contentType,
  };
  if (is('key-to-storage')) headers['x-api-key'] = key;
  for (let attempt = 0; ; attempt++) {
    try {
      const reply = await fetch(url, { method: 'PUT', headers, body: bytes });
      await reply.arrayBuffer();
      if (is('storage-needs-200') && reply.status !== 200) throw new Refused(reply.status, 'PUT');
      if (reply.status !== 503 || attempt === 4 || is('no-retry-of-storage', 'registers-after-failed-put'))
        return reply;
    } catch (error) {
      const isLast =
        attempt === 4 || is('no-retry-of-broken-puts', 'no-retry-of-storage', 'registers-after-failed-put');
      if (isLast || error instanceof Refused) throw error;
    }
    await sleep(80 * 2 ** attempt * (1 + Math.random()));
  }
}

async function upload(contentType: string): Promise<void> {
  const file = `/v1/site/${encodeURIComponent(site)}/file`;
  if (is('bytes-to-api')) {
    await fetch(base + file, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': contentType },
      body: bytes,
    });
  }
  for (let attempt = 1; ; attempt++) {
    const wanted = is('extra-property') ? { contentType, name: 'boiler.png' } : { contentType };
    const target = await call('POST', `${file}/upload-url`, wanted);
    if (is('strict-date') && !/Z$/.test(target.uploadUrlExpiresAt)) throw new Error('no such date');
    if (is('takes-403-for-nothing-to-do') && target.uploadUrl === undefined) return;
    // In place of six minutes in a queue.
    if (is('puts-late'))
      await fetch(`${base}/_mock/clock/advance`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"by":"6m"}',
      });
    const registration = { fileKey: is('wrong-file-key') ? crypto.randomUUID() : target.fileKey, name: 'boiler.png' };
    if (is('registers-before-put')) await call('POST', file, registration, [422]);
    const stored = await put(target.uploadUrl, contentType).catch((error) => {
      if (is('registers-after-failed-put')) return new Response(null, { status: 200 });
      throw error;
    });
    if (stored.status === 403 && attempt === 1 && !is('no-new-url')) {
      if (is('puts-to-expired-url')) await put(target.uploadUrl, contentType);
      continue;
    }
    if (!stored.ok && !is('registers-after-failed-put', 'swallows-errors')) throw new Refused(stored.status, 'PUT');
    if (is('never-registers')) return;
    if (is('uploads-again-after-lost-reply')) {
      const reply = await fetch(base + file, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(registration),
      }).catch(() => null);
      if (reply === null) continue;
      if (!reply.ok) throw new Refused(reply.status, 'register');
      return;
    }
    const at = is('registers-at-another-site') ? '/v1/site/1/file' : file;
    // Registered before, where the reply to that was lost.
    const registered = await call('POST', at, registration, [409]).catch((error) => {
      if (is('ignores-failed-registration')) return {};
      throw error;
    });
    if (is('needs-registration-body')) console.log(registered.createdAt.length);
    return;
  }
}

async function main(): Promise<void> {
  // More than certify keeps.
  if (is('prints-key')) console.log(`x-api-key: ${key}\n`, 'line\n'.repeat(10_000));
  if (is('site-id-is-a-number') && Number.isInteger(Number(site))) throw new Error('a site id is no number');
  if (is('site-id-has-prefix') && !site.startsWith('ovaid-')) throw new Error('a site id begins with ovaid-');
  const label = await labelId(env('LABEL_NAME'));
  if (is('asks-for-a-site-that-is-not-there')) {
    const { status } = await send('GET', '/v1/site/not-there');
    if (status !== 404) throw new Refused(status, 'a site that is not there');
  }
  if (is('lists-always')) for (let n = 0; n < 25; n++) await labelId(env('LABEL_NAME'));
  if (is('lives-on-429s')) await Promise.all(Array.from({ length: 60 }, () => call('GET', '/v1/health')));
  if (is('no-keep-alive')) for (let n = 0; n < 20; n++) await call('GET', '/v1/health');
  read(await call('GET', `/v1/conversation/${conversation}/context`));
  if (is('huge-request'))
    await send('POST', `/v1/site/${site}/file/upload-url`, { contentType: 'x'.repeat(11_000_000) });
  if (is('asks-for-error-code')) {
    const reply = await send('GET', `/v1/conversation/not-a-uuid/context`);
    const { error } = await reply.json();
    if (error.code !== 'BAD_REQUEST') throw new Error('another code');
  }
  await call('PUT', `/v1/conversation/${conversation}/label/${label}`);
  await call('PUT', `/v1/site/${encodeURIComponent(site)}/label/${label}`).catch((error) => {
    if (!is('ignores-failed-label')) throw error;
  });
  const segment = is('site-id-unencoded') ? (id: string) => id : encodeURIComponent;
  const link = `/v1/client/${segment(client)}/site/${segment(site)}/label/${label}`;
  if (client !== '') await call('PUT', link);
  await upload('image/png');
}

await main();
