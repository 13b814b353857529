/** Starts that must be refused: for their body, their key or their site. */
import type { TargetTenant } from '../../spec/files/target.ts';
import { type Change, lawful, must, open, type Place, type Request, type Who } from '../contract/request.ts';
import { aNumber } from '../contract/uploads.ts';
import type { Bench } from '../experiments/bench.ts';
import { inTurn } from '../experiments/record.ts';
import { succeeded } from '../history/exchange.ts';
import { randomIds } from '../numbers.ts';
import { tenantsOf } from '../target/records.ts';
import { pathOf, refusedFor, spellings, wrongCallers } from './callers.ts';
import { type register, sitesOf, start, starting, uploadersOf } from './upload-steps.ts';

export const othersOf = (b: Bench, tenant: TargetTenant) => tenantsOf(b.deployment).filter((one) => one !== tenant);

/** Everything that must be refused, in a random order, and then bytes of files. Of the other tenant a part is enough. */
export async function wrongStarts(b: Bench, tenant: TargetTenant): Promise<void> {
  const isOurs = tenant === b.deployment.tenant;
  const uploaders = uploadersOf(b, tenant);
  const own = () => inTurn(uploaders, b.turn('uploads'));
  const nobody = wrongCallers(b.deployment, b.scene.newId).slice(0, isOurs ? 3 : 0);
  const theirIds = othersOf(b, tenant).flatMap(({ sites }) => Object.values(sites ?? {}));
  const sites = sitesOf(tenant);
  const requests = sites.flatMap((place): Request[] => {
    const by = (who: Who) => ({ place, who });
    const path = pathOf(b, starting(b, by(own())));
    const odd = spellings(path).filter(({ means, change }) => means === 'open' && change.path === undefined);
    const nowhere = [
      must('an empty id', 'ids/site-id', [400, 404], { path: path.replace(/(?<=\/site\/)[^/]+/, '') }),
      ...spellings(path).filter(({ means }) => typeof means === 'object'),
    ];
    const bodies = wrongBodies(b.deployment.uploadContentType);
    return [
      ...b
        .share(`bodies of ${tenant.name}`, bodies, isOurs ? sites.length : 6, uploaders.length)
        .map((how) => starting(b, by(own()), how)),
      ...refusedFor(b, {
        operation: start,
        tenant,
        alike: sites.length,
        crosses: !theirIds.includes(place.params.id ?? ''),
        ask: (who, owner) => starting(b, { place: { ...place, owner }, who }),
        changes: odd,
      }),
      ...(isOurs ? nowhere : []).map((change) => starting(b, by(own()), { change })),
      ...b
        .share('no starts', nobody, sites.length)
        .flatMap((who) => ['{', {}].map((body) => starting(b, by(who), { body, change: open('no start') }))),
    ];
  });
  const ids = b
    .share('unknown sites', [...unknownSites(b, tenant)], 1, uploaders.length)
    .slice(0, isOurs ? undefined : 1);
  const place: Place = { owner: 'nobody', params: { id: `ovaid-${b.scene.newId()}` } };
  // Which of two reasons comes first is open; a profile says it.
  const twice = starting(b, { place, who: own() }, { body: {}, change: open('no content type for no site') });
  const all = [
    ...requests,
    twice,
    ...ids.map((one) => starting(b, { place: one.place, who: own() }, { change: one.change })),
  ];
  await Promise.all(b.shuffled(all).map((request) => b.send(request)));
  await directBytes(b, start, tenant);
  if (!isOurs) return;
  // One number may be a real site. If all are accepted, ids are not checked. So one refusal is enough.
  for (let i = 0; i < randomIds; i++) {
    const id = String(10 ** 9 + Math.floor(b.scene.random() * 10 ** 9));
    const place: Place = { owner: 'malformed', params: { id } };
    if (!succeeded(await b.send(starting(b, { place, who: own() }, { change: open(aNumber) })))) return;
  }
}

/**
 * Bodies of a start that must be refused: no content type, more than a content type, no JSON. A text is sent as it stands. Each has a name of its
 * own, because a fault may be in the reading of one alone.
 */
export function wrongBodies(type: string): { readonly body: unknown; readonly change: Change }[] {
  const json = JSON.stringify({ contentType: type });
  const form = `contentType=${encodeURIComponent(type)}`;
  const named = (kind: string, body: unknown) => `${kind}: ${typeof body === 'string' ? body : JSON.stringify(body)}`;
  const values = ['', 5, 0, null, true, [], [type], { type }].map((contentType) => ({ contentType }));
  const extras: object[] = [
    ...[{ name: 'a.txt' }, { size: 1 }, { fileName: null }, { metadata: {} }],
    // Written otherwise, and what all objects have.
    ...[{ ContentType: type }, { constructor: 'a' }],
  ];
  const lacking = [{}, ...values, { contenttype: type }, { content_type: type }, [type], [], [{ contentType: type }]];
  const more = [...extras.map((extra) => ({ contentType: type, ...extra })), `${json.slice(0, -1)},"__proto__":{}}`];
  const text = [json.slice(0, -1), `${json} x`, `${json}{}`, form, '{'];
  const bad = [400, 422];
  const forMore = (body: unknown) => (typeof body === 'string' ? 'any' : bad); // A firewall takes __proto__ for an attack.
  // No status is named for what is no JSON, so it may be any that the operation declares.
  const notJson = [...bad, 401, 403, 404, 415];
  return [
    ...[...lacking, JSON.stringify(json), JSON.stringify(type), 'null', '5'].map((body) => ({
      body,
      change: must(named('no content type', body), 'upload/content-type-is-required', bad),
    })),
    ...more.map((body) => ({
      body,
      change: must(named('more properties', body), 'upload/no-additional-properties', forMore(body)),
    })),
    ...text.map((body) => ({ body, change: must(named('no JSON', body), 'transport/json-both-ways', notJson) })),
    {
      body: form,
      change: must('a form', 'transport/json-both-ways', notJson, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    },
  ];
}

/** Ids that no site has: well-formed ones, others that nobody confuses, and what a careless look-up takes for a site of the tenant. */
function* unknownSites(b: Bench, tenant: TargetTenant) {
  const rule = 'upload/unknown-site-is-404';
  const { newId, random } = b.scene;
  const { current, legacy } = tenant.sites ?? {};
  const placed = (owner: 'nobody' | 'malformed', id: string): Place => ({ owner, params: { id } });
  for (let i = 0; i < 2; i++)
    yield { place: placed('nobody', `ovaid-${newId()}`), change: lawful('an unknown UUID', {}) };
  // A deployment may know of no such form, but it must not break.
  const near = [
    newId(),
    `9${newId().replace(/\D/g, '').slice(0, 14)}`,
    ...(current ? [`${current}x`, current.slice(0, -1)] : []),
  ];
  for (const id of near)
    for (let i = 0; i < 2; i++) yield { place: placed('malformed', id), change: must(`a near id: ${id}`, rule, [404]) };
  const beyond = (bits: number) => String(Number(legacy) + 2 ** bits * (1 + Math.floor(random() * 1000)));
  const isNumber = legacy !== undefined && /^\d{1,9}$/.test(legacy);
  const odd = [
    ...['%', '*', '9'.repeat(20)],
    ...(current ? ['%', '_', '\0'].map((end) => `${current.slice(0, -1)}${end}`) : []),
    ...(legacy ? ['x', '-', '\0x'].map((tail) => `${legacy}${tail}`) : []),
    ...(isNumber ? [`${legacy}.5`, beyond(32), beyond(40)] : []),
  ];
  for (const id of odd) yield { place: placed('malformed', id), change: must('an odd id', rule, 'no success') };
}

/** The bytes of a file in place of JSON. */
export async function directBytes(
  b: Bench,
  operation: 'startSiteFileUpload' | typeof register,
  tenant: TargetTenant,
): Promise<void> {
  const boundary = 'partnerkit-boundary';
  const form = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="check.txt"\r\n\r\nhello\r\n--${boundary}--\r\n`;
  const text = new TextEncoder().encode('hello');
  const files: [type: string, body: unknown][] = [
    [b.deployment.uploadContentType, text],
    ['application/octet-stream', text],
    [`multipart/form-data; boundary=${boundary}`, form],
  ];
  const [who] = uploadersOf(b, tenant);
  for (const place of who ? sitesOf(tenant) : [])
    for (const [type, body] of files) {
      const change = must('bytes', 'upload/no-direct-bytes', 'no success', { headers: { 'content-type': type } });
      await b.send({ operation, place, who: who as Who, body, once: true, change });
    }
}
