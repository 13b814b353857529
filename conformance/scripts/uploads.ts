/**
 * The upload of a file as a machine: issued, stored, registered. Lawful ways through it succeed; starts that must be refused, and registrations
 * by others, are refused and leave the file as it is, which its owner shows by registering it.
 */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Change, lawful, open, type Place, type Request, valid, type Who } from '../contract/request.ts';
import { replySigns } from '../contract/signs.ts';
import { Bench } from '../experiments/bench.ts';
import { inTurn } from '../experiments/shelf.ts';
import { examine } from '../experiments/trial.ts';
import { type Exchange, objectIn, succeeded, type Trial } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { keysFor } from '../target/keys.ts';
import { tenantsOf } from '../target/records.ts';
import { keysWithout, pathOf, someWrongCallers, spellings, wrongCallers } from './callers.ts';
import type { Generate, Situation } from './script.ts';
import { wrongBodies } from './wrong-bodies.ts';

const start = 'startSiteFileUpload';
const register = 'registerSiteFile';

const bytes = new TextEncoder().encode('partnerkit');
/** More than the API takes itself. */
const large = 11 * 1024 * 1024;

const otherTypes = [
  'video/mp4',
  'application/pdf',
  'text/plain; charset=utf-8',
  'image/png',
  'image/svg+xml',
  'Text/Plain',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
];

/** Content types of a PUT that are not the one that was asked for. */
const wrongTypes = (type: string) => [
  type === 'image/png' ? 'image/gif' : 'image/png',
  null,
  `${type}x`,
  `${type.split('/')[0]}/x`,
];

/** Ids that no site has, near those that some have. */
const nearIds = (current: string, legacy: string, newId: () => string) => [
  ...[`ovaid-${newId()}`, newId(), '%', '*', '99999999999999999999', '2147483648', '912345671', '812345678'],
  ...[`${current}x`, `${current.slice(0, -1)}%`, `${current.slice(0, -1)}_`, current.slice(0, -1), `${current}\0`],
  ...[
    `${legacy}x`,
    `${legacy}.5`,
    `${legacy}\0x`,
    `${legacy}-`,
    String(Number(legacy) + 2 ** 32),
    String(Number(legacy) + 2 ** 40),
  ],
];

const sitesOf = (tenant: TargetTenant): Place[] =>
  [tenant.sites?.current, tenant.sites?.legacy].flatMap((id) =>
    id === undefined ? [] : [{ owner: 'ours' as const, params: { id } }],
  );

const othersOf = (deployment: Deployment, tenant: TargetTenant) =>
  tenantsOf(deployment).filter((one) => one !== tenant);

/** A request that starts an upload. */
const starting = (b: Bench, place: Place, who: Who, how: { body?: unknown; change?: Change } = {}): Request => ({
  operation: start,
  place,
  who,
  body: 'body' in how ? how.body : { contentType: b.deployment.uploadContentType },
  ...(how.change && { change: how.change }),
});

const registering = (b: Bench, place: Place, who: Who, fileKey: string, change?: Change): Request => ({
  operation: register,
  place,
  who,
  body: { ...b.deployment.registration, fileKey },
  once: true,
  ...(change && { change }),
});

interface Storing {
  readonly content?: Uint8Array;
  readonly contentType?: string;
  readonly rule?: RuleId;
  readonly trial?: Trial | undefined;
}

/** Sends bytes that must be taken. @returns the fileKey; null where the bytes are not stored */
async function store(b: Bench, started: Exchange, how: Storing = {}): Promise<string | null> {
  const {
    content = bytes,
    contentType = b.deployment.uploadContentType,
    rule = 'upload/put-accepts-bytes',
    trial,
  } = how;
  if (started.status !== 201) return null;
  const put = await b.put(started, {
    contentType,
    bytes: content,
    demand: { rule, succeeds: true },
    ...(trial && { trial }),
  });
  const { fileKey } = objectIn(started);
  return put && succeeded(put) && typeof fileKey === 'string' ? fileKey : null;
}

/** A stored file. Where the store refuses what it must take, that is tried again with uploads of their own. */
async function stored(b: Bench, place: Place, who: Who, how: Storing = {}): Promise<string | null> {
  const { rule = 'upload/put-accepts-bytes' } = how;
  const started = await b.send(starting(b, place, who));
  const key = await store(b, started, how);
  if (key !== null || started.status !== 201) return key;
  await examine(b, {
    rule,
    sign: 'wrong reply',
    script: async (alone, trial) => {
      const again = await alone.send(starting(b, place, who));
      return again.status === 201 && (await store(alone, again, { ...how, trial })) === null;
    },
    control: async (alone, trial) => !succeeded(await alone.send(starting(b, place, who), { trial })),
  });
  return null;
}

/** Registers a file that is stored. What is refused is tried again with files of their own, because each can be registered once. */
async function registered(b: Bench, place: Place, who: Who, fileKey: string | null): Promise<void> {
  if (fileKey === null || b.deployment.operation(register) === undefined) return;
  const rule: RuleId = 'upload/register-takes-file-key';
  const exchange = await b.send(registering(b, place, who, fileKey));
  if (succeeded(exchange) || !b.has(register)) return;
  for (const sign of replySigns(exchange, b.deployment, rule))
    await examine(b, {
      rule,
      sign,
      script: async (alone, trial) => {
        const key = await store(alone, await alone.send(starting(b, place, who)));
        if (key === null) return false;
        return replySigns(await alone.send(registering(b, place, who, key), { trial }), b.deployment, rule).includes(
          sign,
        );
      },
      control: async (alone, trial) => !succeeded(await alone.send(starting(b, place, who), { trial })),
    });
}

/** Every lawful way to say a start. */
async function starts(b: Bench, place: Place, who: Who) {
  const { uploadContentType: type } = b.deployment;
  const charset = { headers: { 'content-type': 'application/json; charset=utf-8' } };
  const chunked: Change = { id: 'in chunks', means: { may: [411] }, change: { chunked: true } };
  for (const change of [
    lawful('an encoded id', { encoded: true }),
    lawful('a charset', charset),
    open('a query', { query: '?x=1' }),
    chunked,
  ])
    await b.send(starting(b, place, who, { change }));
  await b.send(starting(b, place, who, { body: ` { "contentType" :\n "${type.replace('/', '\\u002f')}" } ` }));
  for (const contentType of otherTypes) {
    const started = await b.send(starting(b, place, who, { body: { contentType }, change: open(contentType) }));
    await store(b, started, { contentType });
  }
}

/** What the store refuses, and what comes of it. */
async function refusedBytes(b: Bench, place: Place, who: Who) {
  const { uploadContentType: type } = b.deployment;
  const started = await b.send(starting(b, place, who));
  if (started.status !== 201) return;
  await b.put(started, {
    contentType: type,
    bytes,
    tampered: true,
    demand: { rule: 'upload/signature-is-verified', succeeds: false },
  });
  for (const contentType of wrongTypes(type))
    await b.put(started, {
      contentType,
      bytes,
      demand: { rule: 'upload/put-content-type-must-match', succeeds: false },
    });
  await store(b, started);
}

/** Registered early, in time, twice, after a while, and two uploads in one another. */
async function registrations(b: Bench, place: Place, who: Who) {
  const early = await b.send(starting(b, place, who));
  const { fileKey } = objectIn(early);
  if (early.status === 201 && typeof fileKey === 'string') {
    await b.send(registering(b, place, who, fileKey, open('before its bytes')));
    await registered(b, place, who, await store(b, early));
  }
  const one = await stored(b, place, who);
  await registered(b, place, who, one);
  if (one) await b.send(registering(b, place, who, one, open('a second time')));
  const [first, second] = [await b.send(starting(b, place, who)), await b.send(starting(b, place, who))];
  const keys = [await store(b, second), await store(b, first)];
  for (const key of keys.toReversed()) await registered(b, place, who, key);
}

/** Starts that must be refused. */
async function wrongStarts(b: Bench, tenant: TargetTenant) {
  const { deployment } = b;
  const keys = keysFor(deployment, start, tenant);
  const isOurs = tenant === deployment.tenant;
  const own = () => valid(inTurn(keys, b.turn('uploads')));
  const nobody = wrongCallers(deployment, b.scene.newId);
  const lacking = keysWithout(b, start, tenant);
  const others = othersOf(deployment, tenant);
  const foreign = others.flatMap((one) => keysFor(deployment, start, one)).map(valid);
  const isTheirs = ({ params }: Place) =>
    others.some(({ sites }) => Object.values(sites ?? {}).includes(params.id ?? ''));
  const bodies = wrongBodies(deployment.uploadContentType).filter((_, i) => isOurs || i % 4 === 0);
  const requests = sitesOf(tenant).flatMap((place): Request[] => {
    const odd = spellings(pathOf(b, starting(b, place, own()))).filter(
      ({ means, change }) => means === 'open' && change.path === undefined,
    );
    return [
      ...bodies.map((how) => starting(b, place, own(), how)),
      ...(isOurs ? someWrongCallers(b) : nobody.slice(0, 1)).map((who) => starting(b, place, who)),
      ...nobody
        .slice(0, isOurs ? 3 : 0)
        .flatMap((who) => ['{', {}].map((body) => starting(b, place, who, { body, change: open('no start') }))),
      ...lacking.map((who) => starting(b, place, who)),
      ...(isTheirs(place) ? [] : foreign).map((who) => starting(b, { ...place, owner: 'theirs' }, who)),
      ...odd.flatMap((change) =>
        [...nobody.slice(0, 1), ...lacking.slice(0, 1)].map((who) => starting(b, place, who, { change })),
      ),
    ];
  });
  const { current = '', legacy = '1' } = tenant.sites ?? {};
  for (const id of nearIds(current, legacy, b.scene.newId).slice(0, isOurs ? undefined : 1)) {
    // A gateway may refuse an odd id in its own way, and a short number may be somebody's site.
    const isPlain = /^[\w-]{11,64}$/.test(id);
    requests.push(starting(b, { owner: isPlain ? 'nobody' : 'malformed', params: { id } }, own()));
  }
  // Twice those with a key, because a fault may not show each time.
  const twice = isOurs ? requests.filter(({ who }) => who.caller === 'valid') : [];
  for (const request of b.shuffled([...requests, ...twice])) await b.send(request);
}

/** A stored file that others try to register stays its owner's. */
async function othersRegister(b: Bench, tenant: TargetTenant) {
  const [owner] = keysFor(b.deployment, register, tenant);
  if (owner === undefined || !b.has(register)) return;
  const nobody = tenant === b.deployment.tenant ? someWrongCallers(b) : [];
  const others = othersOf(b.deployment, tenant).flatMap((one) =>
    keysFor(b.deployment, register, one).map((key) => ({ who: valid(key), sites: sitesOf(one) })),
  );
  const ids = new Set(sitesOf(tenant).map(({ params }) => params.id));
  for (const place of sitesOf(tenant)) {
    const fileKey = await stored(b, place, valid(owner));
    if (fileKey === null) continue;
    const theirs = (at: Place, who: Who) => registering(b, { ...at, owner: 'theirs' }, who, fileKey);
    const refused = [
      ...[...nobody, ...keysWithout(b, register, tenant)].map((who) => registering(b, place, who, fileKey)),
      ...others.flatMap(({ who, sites }) => [place, ...sites].map((at) => theirs(at, who))),
      ...others
        .flatMap(({ sites }) => sites)
        .filter(({ params }) => !ids.has(params.id))
        .map((at) => theirs(at, valid(owner))),
    ];
    let isTaken = false;
    for (const request of refused) if (succeeded(await b.send(request))) isTaken = true;
    if (!isTaken) await registered(b, place, valid(owner), fileKey);
  }
}

const targets: readonly RuleId[] = [
  'upload/start-is-201',
  'upload/target-file-key',
  'upload/target-url',
  'upload/target-expiry',
  'upload/url-lives-five-minutes',
  'upload/put-accepts-bytes',
  'ids/site-id',
  'ids/legacy-site-id-works',
];

const refusals: readonly RuleId[] = [
  'upload/content-type-is-required',
  'upload/no-additional-properties',
  'upload/unknown-site-is-404',
  'upload/foreign-site-is-404',
  'scopes/upload-needs-sitefile-write',
  'scopes/missing-scope-is-403',
  'errors/upload-statuses-are-declared',
  'errors/body',
  'errors/invalid-request-is-400',
  'transport/json-both-ways',
];

export const uploadScripts: Generate = function* (deployment) {
  for (const [index, tenant] of tenantsOf(deployment).entries()) {
    const whose = index === 0 ? 'ours' : 'theirs';
    const [key] = keysFor(deployment, start, tenant);
    const sites = sitesOf(tenant);
    const missing = [
      ...(sites.length === 0 ? [`tenants[${index}].sites.current`] : []),
      ...(key === undefined ? [`tenants[${index}].keys: a key with siteFile:write`] : []),
    ];
    if (missing.length > 0) {
      for (const kind of index === 0 ? ['starts', 'refusals'] : [])
        yield { id: `uploads/${kind}/${whose}`, feeds: [...targets, ...refusals], missing };
      continue;
    }
    const script = (
      kind: string,
      title: string,
      feeds: readonly RuleId[],
      run: (b: Bench) => Promise<void>,
      more: Pick<Situation, 'writes'> = {},
    ): Situation => ({
      id: `uploads/${kind}/${whose}`,
      title: `${title} (${tenant.name})`,
      feeds,
      uses: more.writes === undefined ? [start] : [start, register],
      ...more,
      run: (scene) => run(new Bench(scene, scene.state)),
    });
    const each = async (b: Bench, does: (b: Bench, place: Place, who: Who) => Promise<void>) => {
      for (const place of sites) for (const one of keysFor(deployment, start, tenant)) await does(b, place, valid(one));
    };
    yield script('starts', 'uploads are started in every lawful way, and their bytes are stored', targets, (b) =>
      each(b, starts),
    );
    yield script(
      'bytes',
      'bytes are sent that the store must take, or must refuse',
      [...targets, 'upload/put-content-type-must-match', 'upload/signature-is-verified', 'upload/file-may-exceed-10mb'],
      async (b) => {
        await each(b, refusedBytes);
        const [first] = sites;
        for (let n = 0; n < (index === 0 ? 2 : 0); n++)
          if (first && key)
            await stored(b, first, valid(key), { content: new Uint8Array(large), rule: 'upload/file-may-exceed-10mb' });
      },
    );
    yield script('refusals', 'uploads are started in every way that must be refused', refusals, (b) =>
      wrongStarts(b, tenant),
    );
    yield script(
      'direct-bytes',
      'the bytes of a file are sent to the API itself',
      ['upload/no-direct-bytes'],
      async (b) => {
        for (const place of sites)
          for (const operation of [start, register] as const)
            for (const one of keysFor(deployment, operation, tenant).slice(0, 1))
              await b.send({
                operation,
                place,
                who: valid(one),
                body: bytes,
                once: true,
                change: {
                  id: 'bytes',
                  means: { rule: 'upload/no-direct-bytes', statuses: [400, 403, 404, 405, 411, 413, 415, 422] },
                  change: { headers: { 'content-type': deployment.uploadContentType } },
                },
              });
      },
    );
    yield script(
      'registrations',
      'files are registered early, in time, twice, and after others have tried',
      [
        'upload/register-takes-file-key',
        'upload/register-before-put-is-422',
        'upload/register-twice-is-409',
        'upload/registration-reply',
        'isolation/writes-stay-in-tenant',
      ],
      async (b) => {
        await each(b, registrations);
        await othersRegister(b, tenant);
      },
      { writes: 'leftovers' },
    );
  }
};
