import { STATUS_CODES } from 'node:http';
import type { ApiReply } from '../../../mock/index.ts';
import { defaultSeeds } from '../../../mock/seed/generated/tenants.ts';
import type { Around } from '../../../mock/wrong/tampering/defect.ts';
import { replyWith } from '../../../mock/wrong/tampering/json-value.ts';
import { type Asked, instead, onReply, type Scene } from '../../../mock/wrong/tampering/tamper.ts';
import { chain, endConnection, onReplyTo } from '../../../mock/wrong/tampering/when.ts';
import type { Target } from '../../../spec/files/target.ts';
import { seededRandom } from '../../../spec/random.ts';
import type { Honest } from '../trials/trial.ts';

/**
 * Honest deployments by their ids, written from the specification before anybody knew how they would be judged, so that nobody has looked at their shoulds.
 * Exit code 0 is always right. @param prevents what truly keeps a run from judging, so that 3 is right as well
 */
export const strangers = (all: Readonly<Record<string, readonly [does: string, how: How, prevents?: string]>>) =>
  Object.entries(all).map(([id, [does, how, prevents]]): Honest => {
    const changes = typeof how === 'function' ? { around: how } : how;
    return { id, does, ...changes, warns: 'any', ...(prevents && { unjudged: 'any' }) };
  });

type How = Around | Omit<Honest, 'id' | 'does'>;

type Answer = 'close' | 'hang' | ((asked: Asked) => ApiReply | Promise<ApiReply>);
type Meets = (asked: Asked) => unknown;

/** The page of a front. */
export const page =
  (status: number, server = 'nginx', title = STATUS_CODES[status]) =>
  (): ApiReply => ({
    status,
    headers: { 'content-type': 'text/html', server },
    body: `<html><head><title>${status} ${title}</title></head>\r\n<body><center><h1>${title}</h1></center><hr>${server}</body></html>\r\n`,
  });
export const message = (status: number, text: string) => () => replyWith(status, { message: text });

/** What stands in front of the API, but not of the store, answers the first rule that a request meets. */
export const inFront = (...rules: readonly (readonly [Meets, Answer])[]): Around =>
  instead((asked) => {
    const answer = asked.id === 'storage' ? undefined : rules.find(([meets]) => meets(asked))?.[1];
    if (answer === 'close') return endConnection();
    // As long as a client waits, and a little longer.
    return answer === 'hang' ? { ...page(504)(), delay: 30_500 } : answer?.(asked);
  });

/** Letters and digits of a URL may be escaped and mean the same, so fronts read them first. */
const readable = (url: string) => url.replace(/%(2d|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9a])/gi, decodeURIComponent);

/** A front with its own words. @param rules patterns of `GET /v1/...`, or the longest URL, by the status */
export const front = (words: (status: number) => Answer, rules: Readonly<Record<number, RegExp | number>>): Around =>
  inFront(
    ...Object.entries(rules).map(([status, rule]): [Meets, Answer] => [
      ({ request: { method, url } }) =>
        typeof rule === 'number' ? url.length > rule : rule.test(`${method} ${readable(url)}`),
      words(Number(status)),
    ]),
  );

/** Whether it is one of these times, which last so many seconds each. */
export const within = ({ mock: { clock } }: Scene, at: readonly number[], seconds: number) => {
  const since = clock.now();
  return () => at.some((from) => clock.now() >= since + from * 1e3 && clock.now() < since + (from + seconds) * 1e3);
};

/** An answer of the front for some seconds, from each of these seconds of the run on. */
export const during =
  (at: readonly number[], seconds: number, answer: Answer, meets: Meets = () => true): Around =>
  (scene) => {
    const isOut = within(scene, at, seconds);
    return inFront([(asked) => isOut() && meets(asked), answer])(scene);
  };

const isRefusal = ({ reply }: { reply: ApiReply }) => [401, 403, 404].includes(reply.status);

/** A firewall that blocks an address for some seconds after so many refusals within so many seconds. @param by what it blocks: all, or a part */
export const blocking =
  (
    [after, among, seconds]: readonly [after: number, within: number, seconds: number],
    answer: Answer,
    counts: (asked: Asked & { reply: ApiReply }) => unknown = isRefusal,
    by: (asked: Asked) => string = () => '',
  ): Around =>
  (scene) => {
    const { clock } = scene.mock;
    const [seen, until] = [new Map<string, number[]>(), new Map<string, number>()];
    const count = onReply((asked) => {
      if (asked.id === 'storage' || !counts(asked)) return undefined;
      const recent = [...(seen.get(by(asked)) ?? []), clock.now()].filter((at) => at > clock.now() - among * 1e3);
      seen.set(by(asked), recent.length >= after ? [] : recent);
      if (recent.length >= after) until.set(by(asked), clock.now() + seconds * 1e3);
      return undefined;
    });
    return chain(count, inFront([(asked) => clock.now() < (until.get(by(asked)) ?? 0), answer]))(scene);
  };

/** Records, by their keys in the store of acme. */
export const [open, link, any] = [/^c0000001.*0001$/, /^\["ovcid-c11e0001.*517e0001/, /./];

/** Somebody puts a label on records of acme, and takes it off, in turn, at these seconds of the run. */
export const colleague =
  (name: string, on: RegExp, at: readonly number[]): Around =>
  ({ mock, handle, reached }) => {
    const tenant = mock.tenant('acme');
    const { conversations, sites, links } = tenant.records;
    const label = [...tenant.records.labels.values()].find((one) => one.name === name);
    const holders = [...conversations, ...sites, ...links].flatMap(([id, one]) => (on.test(id) ? [one] : []));
    const since = mock.clock.now();
    let done = 0;
    return (request, trace) => {
      for (; label && since + (at[done] ?? 1e6) * 1e3 <= mock.clock.now(); done++) {
        for (const one of holders) done % 2 === 0 ? tenant.applyLabel(one, label) : tenant.removeLabel(one, label);
        reached();
      }
      return handle(request, trace);
    };
  };

/** Seconds of the run, about so far apart. */
export const about = (seconds: number): readonly number[] => {
  const random = seededRandom(seconds);
  let at = 0;
  return Array.from({ length: Math.ceil(400 / seconds) }, () => {
    at += seconds * (0.5 + random());
    return at;
  });
};

type Change = (text: string) => string;

/** Target files, changed as texts. */
export const described = (change: Change) => (target: Target) => JSON.parse(change(JSON.stringify(target))) as Target;

/** The packaged tenants and their target file, changed as texts. */
export const seeded = (change: Change): Pick<Honest, 'options' | 'target'> => ({
  options: () => ({ seeds: defaultSeeds.map((seed) => JSON.parse(change(JSON.stringify(seed)))) }),
  target: described(change),
});

/** Replies of the API, changed as texts. */
export const saying = (change: Change): Around =>
  onReplyTo({ where: ({ id }) => id !== 'storage' }, ({ reply }) => ({
    ...reply,
    body: reply.body && change(reply.body),
  }));
