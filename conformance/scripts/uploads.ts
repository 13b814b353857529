/**
 * The upload of a file as a machine: issued, stored, registered. Lawful ways through it succeed; starts that must be refused, and registrations
 * by others, are refused and leave the file as it is, which its owner shows by registering it.
 */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Change, lawful, may, must, open, type Place, type Request, type Who } from '../contract/request.ts';
import { asks, expiryOf, lifetime } from '../contract/uploads.ts';
import type { Bench } from '../experiments/bench.ts';
import { type Exchange, succeeded, type Trial } from '../history/exchange.ts';
import { keysFor } from '../target/deployment.ts';
import { tenantsOf } from '../target/records.ts';
import { keysWithout, someWrongCallers } from './callers.ts';
import type { Generate, Script } from './script.ts';
import { directBytes, othersOf, wrongStarts } from './upload-refusals.ts';
import {
  type At,
  begin,
  passes,
  register,
  registered,
  registering,
  sitesOf,
  start,
  starting,
  store,
  uploadersOf,
} from './upload-steps.ts';

/** Types whose special characters and length a faulty signature may confuse. */
const types = [
  'video/mp4',
  'text/plain; charset=utf-8',
  'image/svg+xml',
  'Image/PNG',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/pdf',
  'application/octet-stream',
];

/** Rounds of a trial with megabytes. */
const rounds = 3;

/** Every site with every key that may upload to it, the narrowest key first. */
const everywhere = (b: Bench, tenant: TargetTenant): At[] =>
  sitesOf(tenant).flatMap((place) => uploadersOf(b, tenant).map((who) => ({ place, who })));

/** Every site, by the narrowest key. */
const everySite = (b: Bench, tenant: TargetTenant): At[] =>
  everywhere(b, tenant).filter(({ place }, i, all) => all.findIndex((one) => one.place === place) === i);

/** A start, perhaps a while, and its bytes. */
const storing =
  (at: At, how: { wait?: number; contentType?: string; rule?: RuleId; bytes?: Uint8Array } = {}) =>
  async (b: Bench, trial?: Trial) => {
    const { wait = 0, contentType = b.deployment.uploadContentType, ...put } = how;
    const change = may(`a type: ${contentType}`, [400, 403, 415, 422]);
    const isUsual = contentType === b.deployment.uploadContentType;
    const started = isUsual
      ? await begin(b, starting(b, at))
      : await b.send(starting(b, at, { body: { contentType }, change }));
    await b.sleep(wait);
    return store(b, started, { ...put, contentType, trial });
  };

const accepts = { rule: 'upload/put-accepts-bytes' } as const;
const takes = { rule: 'upload/register-takes-file-key' } as const;

async function starts(b: Bench, tenant: TargetTenant) {
  const isOurs = tenant === b.deployment.tenant;
  const { uploadContentType: type } = b.deployment;
  for (const at of everywhere(b, tenant)) await passes(b, at, { ...accepts, go: storing(at) });
  const json = { successRule: 'transport/json-both-ways' } as const;
  const inWords = ` { "contentType" :\n "${type.replace('/', '\\u002f')}" } `;
  const charset = { 'content-type': 'application/json; charset=utf-8' };
  for (const [index, at] of everySite(b, tenant).entries()) {
    for (const how of [
      { change: lawful('an encoded id', { encoded: true }) },
      { change: lawful('a charset', { headers: charset }), ...json },
      { change: lawful('escapes', {}), body: inWords, ...json },
      { change: may('in chunks', [411], { chunked: true }), ...json },
      { change: open('a query', { query: '?x=1' }) },
    ])
      await b.send(starting(b, at, how));
    for (const contentType of isOurs ? types.filter((one, i) => one !== type && i % 2 === index % 2) : [])
      await passes(b, at, { ...accepts, way: contentType, go: storing(at, { contentType }) });
  }
}

/** Content types of a PUT that are not the one that was asked for. */
const wrongTypes = (type: string) => [
  type === 'image/png' ? 'image/gif' : 'image/png',
  null,
  `${type}x`,
  `${type.split('/')[0]}/x`,
];

/** What the store must refuse: other types, and the signature of another upload. */
async function refusedBytes(b: Bench, tenant: TargetTenant) {
  const { uploadContentType: type } = b.deployment;
  for (const at of everySite(b, tenant)) {
    const [started, other] = [await b.send(starting(b, at)), await b.send(starting(b, at))];
    if (started.status !== 201 || other.status !== 201) continue;
    const put = (contentType: string | null, more = {}) =>
      b.put(started, { contentType, bytes: new Uint8Array(9), ...more });
    await put(type, { tampered: true });
    await put(type, { tampered: other });
    for (const contentType of wrongTypes(type))
      await put(contentType, { demand: { rule: 'upload/put-content-type-must-match', succeeds: false } });
  }
}

async function largeFiles(b: Bench, tenant: TargetTenant) {
  const rule = 'upload/file-may-exceed-10mb';
  for (const at of everySite(b, tenant))
    await passes(b, at, { rule, rounds, go: storing(at, { rule, bytes: new Uint8Array(above) }) });
}

/** Shortly before its URL expires bytes are taken, and afterwards no more, whether it was used or not. */
async function expiry(b: Bench, tenant: TargetTenant) {
  const [at] = everySite(b, tenant);
  if (at === undefined) return;
  const { clockSkewSeconds } = b.deployment;
  const skew = clockSkewSeconds * 1000;
  const [used, unused] = [await begin(b, starting(b, at)), await begin(b, starting(b, at))];
  await store(b, used);
  const rule = 'upload/url-lives-five-minutes';
  await passes(b, at, {
    rule,
    way: 'before it expires',
    slow: true,
    go: storing(at, { rule, wait: lifetime - skew - 10_000 }),
  });
  // By a clock that is ahead, the URL says later.
  const later = Math.min(skew, Math.max(0, (expiryOf(unused) ?? 0) - unused.doneAt - lifetime));
  await b.sleep(unused.doneAt + lifetime + later + skew + 5_000 - b.scene.now());
  for (const late of [unused, used, unused, used]) {
    const expiresAt = expiryOf(late) ?? 0;
    const demand = { rule: 'upload/expired-url-is-refused', succeeds: false } as const;
    const isOver = b.scene.now() > expiresAt + skew;
    await b.put(late, {
      contentType: b.deployment.uploadContentType,
      bytes: new Uint8Array(9),
      ...(isOver && { demand }),
    });
  }
}

/** Registered in time, early, twice and at once, by a key that did not start it, and with fileKeys of nobody. */
async function registrations(b: Bench, tenant: TargetTenant) {
  const all = everywhere(b, tenant);
  for (const [i, at] of all.entries()) {
    const next = all[(i + 1) % all.length]?.who;
    await passes(b, { ...at, who: next ?? at.who }, { ...takes, go: registered(at, { by: next }) });
  }
  const own = tenant === b.deployment.tenant ? everySite(b, tenant) : [];
  for (const at of own.slice(0, 1)) {
    const rule = 'upload/file-may-exceed-10mb';
    const go = registered(at, { bytes: new Uint8Array(above), successRule: rule });
    await passes(b, at, { rule, way: 'registered', rounds, go, control: registered(at) });
  }
  for (const at of own) {
    const asked = (fileKey: string, id: string, how: { body?: unknown } = {}, place = at.place) =>
      registering(b, { ...at, place }, fileKey, { change: open(id), ...how });
    const elsewhere = sitesOf(tenant).filter(({ params }) => params.id !== at.place.params.id);
    const follows = (way: string, how: Parameters<typeof registered>[1]) =>
      passes(b, at, { ...takes, way, go: registered(at, how), control: registered(at) });
    await follows('after another start', { tries: () => [starting(b, at)] });
    await follows('after an early one', { early: true, tries: (fileKey) => [asked(fileKey, asks.early)] });
    for (const place of elsewhere)
      await follows('after another site', { tries: (fileKey) => [asked(fileKey, asks.elsewhere, {}, place)] });
    const tooLarge = must(asks.tooLarge, 'limits/above-10mb-is-refused', 'any');
    const large = (fileKey: string) => padded(above, { ...b.deployment.registration, fileKey });
    await follows('after 11 MB', {
      tries: (fileKey) => [registering(b, at, '', { body: large(fileKey), change: tooLarge })],
    });
    const after = async (started: Exchange, fileKey: string) => {
      await b.send(asked(fileKey, asks.twice));
      // Whether the bytes of a registered file can be replaced is open; a profile says it.
      await b.put(started, { contentType: b.deployment.uploadContentType, bytes: new Uint8Array(9) });
    };
    await registered(at, { after })(b);
    await b.send(asked(b.scene.newId(), asks.unknown));
    await b.send(asked('no-uuid', asks.malformed));
    await b.send(asked('', asks.missing, { body: { ...b.deployment.registration } }));
  }
  await directBytes(b, register, tenant);
}

/** A stored file that others try to register stays its owner's, and so does one that nobody may register. */
async function othersRegister(b: Bench, tenant: TargetTenant) {
  const others = othersOf(b, tenant).map((one) => ({ who: uploadersOf(b, one)[0], sites: sitesOf(one) }));
  const ours = new Set(sitesOf(tenant).map(({ params }) => params.id));
  for (const at of everySite(b, tenant)) {
    const strangers = (fileKey: string) =>
      others.flatMap(({ who, sites }) => {
        const foreign = (place: Place, by: Who | undefined): Request[] =>
          by ? [registering(b, { place: { ...place, owner: 'theirs' }, who: by }, fileKey)] : [];
        const theirs = sites.filter(({ params }) => !ours.has(params.id));
        return [
          ...[at.place, ...sites].flatMap((one) => foreign(one, who)),
          ...theirs.flatMap((one) => foreign(one, at.who)),
        ];
      });
    // After many refusals a firewall may refuse any request.
    const ofAnother = (tries: (fileKey: string) => Request[]) =>
      registered(at, { tries: () => tries(b.scene.newId()) });
    const rule = 'isolation/writes-stay-in-tenant';
    const go = registered(at, { tries: strangers, successRule: rule });
    if (strangers('').length > 0)
      await passes(b, at, { rule, way: `files ${tenant.name}`, go, control: ofAnother(strangers) });
    const nobody = tenant === b.deployment.tenant ? someWrongCallers(b, register, sitesOf(tenant).length) : [];
    const refused = (fileKey: string) =>
      [...nobody, ...keysWithout(b, register, tenant)].map((who) => registering(b, { ...at, who }, fileKey));
    await passes(b, at, {
      ...takes,
      way: 'after others',
      go: registered(at, { tries: refused }),
      control: ofAnother(refused),
    });
  }
}

/** The limit means 10,000,000 or 10,485,760 bytes: one is below both, the other above. */
const [below, above] = [9_900_000, 11 * 1024 * 1024];
/** A body, padded with white space to this size: the JSON has the same meaning. */
const padded = (size: number, body: unknown): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify(body).replace('{', (brace) => brace.padEnd(size - JSON.stringify(body).length + 1)),
  );

/** Bodies around the limit of 10 MB, beside small ones that pass. A start stores nothing, and neither does registering what nobody has uploaded. */
async function sizes(b: Bench, tenant: TargetTenant) {
  const all = everySite(b, tenant);
  for (const at of b.deployment.operation(register) ? all.slice(0, 1) : []) {
    const rule = 'limits/below-10mb-passes';
    const change = may('less than 10 MB of nobody', [400, 403, 404, 409, 410, 411, 422]);
    const go = async (alone: Bench, trial?: Trial) => {
      const body = padded(below, { ...b.deployment.registration, fileKey: b.scene.newId() });
      return alone.send(registering(alone, at, '', { body, change, successRule: rule }), { trial });
    };
    await passes(b, at, { rule, way: 'registering', rounds, go });
  }
  // To save megabytes, bodies in chunks are sent for one site only.
  for (const [index, at] of all.entries())
    for (const chunked of index === 0 ? [false, true] : [false]) {
      // A deployment need not take a body whose length is not announced, nor wait for one.
      const small = (id: string) => may(id, [408, 411], { chunked });
      if (!succeeded(await begin(b, starting(b, at, { change: small('a small body') })))) continue;
      const sized = (size: number, change: Change) => async (alone: Bench, trial?: Trial) => {
        const body = padded(size, { contentType: b.deployment.uploadContentType });
        const how = { body, change, successRule: 'limits/below-10mb-passes', once: true } as const;
        return alone.send(starting(alone, at, how), { trial });
      };
      const tooLarge = must(asks.tooLarge, 'limits/above-10mb-is-refused', 'any', { chunked });
      for (const [rule, size, change] of [
        ['limits/below-10mb-passes', below, small('less than 10 MB')],
        ['limits/above-10mb-is-refused', above, tooLarge],
      ] as const)
        await passes(b, at, { rule, way: `${at.place.params.id} ${chunked}`, rounds, go: sized(size, change) });
    }
}

/** What is tried, by its name. Registered files stay. */
const kinds: readonly (Pick<Script, 'title' | 'tries' | 'writes' | 'slow'> & {
  readonly id: string;
  readonly run: (b: Bench, tenant: TargetTenant) => Promise<unknown>;
  /** Only for the tenant under test. */
  readonly ours?: true;
})[] = [
  {
    id: 'starts',
    title: 'uploads are started in every lawful way, and their bytes are stored',
    tries: [
      'upload/start-is-201',
      'upload/target-file-key',
      'upload/target-url',
      'upload/target-expiry',
      'upload/url-lives-five-minutes',
      'upload/put-accepts-bytes',
      'transport/json-both-ways',
      'ids/site-id',
      'ids/legacy-site-id-works',
    ],
    run: starts,
  },
  {
    id: 'refusals',
    title: 'uploads are started in every way that must be refused, also with the bytes of the file',
    tries: [
      'upload/content-type-is-required',
      'upload/no-additional-properties',
      'ids/site-id',
      'versioning/v1-prefix',
      'upload/unknown-site-is-404',
      'upload/foreign-site-is-404',
      'scopes/upload-needs-sitefile-write',
      'scopes/missing-scope-is-403',
      'errors/upload-statuses-are-declared',
      'errors/body',
      'errors/invalid-request-is-400',
      'transport/json-both-ways',
      'upload/no-direct-bytes',
    ],
    run: wrongStarts,
  },
  {
    id: 'bytes',
    title: 'bytes are sent that the store must refuse',
    tries: ['upload/put-content-type-must-match', 'upload/signature-is-verified'],
    ours: true,
    run: refusedBytes,
  },
  {
    id: 'sizes',
    title: 'starts of 9.9 and of 11 MB, their length announced or in chunks',
    tries: ['limits/below-10mb-passes', 'limits/above-10mb-is-refused', 'limits/too-large-is-413'],
    ours: true,
    run: sizes,
  },
  {
    id: 'large',
    title: 'a file of 11 MB, more than a request to the API may have, is stored',
    tries: ['upload/file-may-exceed-10mb'],
    ours: true,
    run: largeFiles,
  },
  {
    id: 'expiry',
    title: 'bytes are sent shortly before and after upload URLs expire',
    tries: ['upload/expired-url-is-refused', 'upload/url-lives-five-minutes'],
    slow: true,
    ours: true,
    run: expiry,
  },
  {
    id: 'registrations',
    title: 'files are registered in time, early, twice, and with bytes in place of JSON',
    tries: [
      'upload/register-takes-file-key',
      'upload/registration-reply',
      'upload/file-may-exceed-10mb',
      'upload/register-before-put-is-422',
      'upload/register-twice-is-409',
      'errors/unknown-is-404',
      'errors/invalid-request-is-400',
      'upload/no-direct-bytes',
      'limits/above-10mb-is-refused',
    ],
    writes: 'leftovers',
    run: registrations,
  },
  {
    id: 'others-register',
    title: 'files are registered after others have tried',
    tries: ['upload/register-takes-file-key', 'upload/registration-reply', 'isolation/writes-stay-in-tenant'],
    writes: 'leftovers',
    run: othersRegister,
  },
];

/** Scripts about uploads, for each tenant. */
export const uploadScripts: Generate = function* (deployment) {
  for (const [index, tenant] of tenantsOf(deployment).entries()) {
    const [place] = sitesOf(tenant);
    const isOurs = index === 0;
    const missing = [
      ...(place === undefined ? [`tenants[${index}].sites.current`] : []),
      ...(keysFor(deployment, start, tenant).length === 0 ? [`tenants[${index}].keys: a key with siteFile:write`] : []),
    ];
    for (const { id: kind, title, tries, run, writes, slow, ours } of kinds) {
      if (ours && !isOurs) continue;
      const id = `uploads/${kind}/${isOurs ? 'ours' : 'theirs'}`;
      if (missing.length > 0) yield { id, tries, missing };
      else
        yield {
          id,
          title: `${title} (${tenant.name})`,
          tries,
          uses: writes ? [start, register] : [start],
          ...(writes && { writes }),
          ...(slow && { slow }),
          run: async (b) => void (await run(b, tenant)),
        };
    }
  }
};
