import { seededRandom } from '../../../spec/random.ts';
import { type Exchange, isObject, jsonOf, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { judgeHistory } from '../../laws/judge-history.ts';
import { tryDefect } from '../trials/trial.ts';
import type { EditRun } from './parts.ts';

/** A good history with one change in one exchange. */
interface Edit {
  readonly what: string;
  readonly exchange: Exchange;
}

/**
 * Judges a share of all edits of a good history. Each edit should break a law, or be harmless for a known reason. Judging a history takes half a
 * second, so edits are judged in groups: nothing broken means that all of a group survive, and a breach that shows an edited exchange is due to
 * its edit. What is left open is judged in smaller groups, at last alone.
 */
export async function editRuns(seed: number, [from, to]: readonly [number, number]): Promise<EditRun[]> {
  const { history } = await tryDefect(null, { seed });
  const all = [...editsOf(history, seededRandom(seed))];
  const runs: EditRun[] = [];
  let open = all.slice(Math.floor(from * all.length), Math.floor(to * all.length));
  for (const size of [40, 20, 5, 1]) {
    const groups = groupsOf(open, size);
    open = [];
    for (const group of groups) {
      const broken = lawsBrokenBy(history, group);
      for (const edit of group) {
        const own = broken.filter(({ shows }) => group.length === 1 || shows.has(edit.exchange.n));
        if (own.length === 0 && broken.length > 0) open.push(edit);
        else runs.push({ part: 'edits', what: edit.what, brokenLaws: own.map(({ id }) => id) });
      }
    }
  }
  return runs;
}

/** Groups of edits of different exchanges that lie far apart. */
function groupsOf(edits: readonly Edit[], size: number): Edit[][] {
  const edited = new Map<number, number>();
  const layers = Map.groupBy(edits, ({ exchange: { n } }) => {
    const layer = edited.get(n) ?? 0;
    edited.set(n, layer + 1);
    return layer;
  });
  return [...layers.values()].flatMap((layer) => {
    const count = Math.ceil(layer.length / size);
    return Array.from({ length: count }, (_, group) => layer.filter((_, at) => at % count === group));
  });
}

/** The laws that find something in the edited history, each with the exchanges that its breaches show. */
function lawsBrokenBy(history: History, edits: readonly Edit[]) {
  const edited = new Map(edits.map(({ exchange }) => [exchange.n, exchange]));
  const exchanges = history.exchanges.map((one) => edited.get(one.n) ?? one);
  return judgeHistory({ ...history, exchanges }).flatMap(({ id, finding: { breaches } }) =>
    breaches.length > 0 ? [{ id, shows: new Set(breaches.map(({ exchange }) => exchange.n)) }] : [],
  );
}

/** Every possible edit of every exchange. The value of a body to edit is chosen at random. */
function* editsOf({ exchanges }: History, random: () => number): Generator<Edit> {
  for (const exchange of exchanges) {
    const { operation, status, body, headers } = exchange;
    if (status === null) continue;
    const of = `${operation ?? 'no operation'} ${status}${exchange.credential === 'key' ? '' : `, key: ${exchange.credential}`}${exchange.twist === null ? '' : `, ${exchange.twist}`}`;
    const edit = (kind: string, changes: Partial<Exchange>): Edit => ({
      what: `${kind} of ${of}, in ${exchange.situation} with ${exchange.key ?? 'no key'}`,
      exchange: { ...exchange, ...changes },
    });
    // Any other success and any other 403 or 404 says the same.
    if (status >= 300) yield edit('status to 200', { status: 200 });
    if (status !== 403) yield edit('status to 403', { status: 403 });
    if (status !== 404) yield edit('status to 404', { status: 404 });
    if (body) yield edit('body gone', { body: '' });
    if (headers['retry-after'] !== undefined)
      yield edit('Retry-After gone', { headers: { ...headers, 'retry-after': '' } });
    const json = jsonOf(exchange);
    if (body === null || json === undefined) continue;
    const places = [...valuesOf(json)].filter(([path]) => path.length > 0);
    const place = places[Math.floor(random() * places.length)];
    if (place === undefined) continue;
    const [path, value] = place;
    const name = path.map((step) => (typeof step === 'number' ? '#' : step)).join('.');
    yield edit(`${name} gone`, { body: JSON.stringify(replaced(json, path, undefined)) });
    yield edit(`type of ${name}`, {
      body: JSON.stringify(replaced(json, path, typeof value === 'string' ? 7 : 'seven')),
    });
    if (typeof value === 'string')
      yield edit(`value of ${name}`, { body: JSON.stringify(replaced(json, path, `${value}x`)) });
    if (Array.isArray(value) && value.length > 0)
      yield edit(`first item of ${name} gone`, { body: JSON.stringify(replaced(json, path, value.slice(1))) });
  }
}

/** The value with the part at the path replaced, or removed for undefined. */
function replaced(value: unknown, [step, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) {
    const changed = value.map((item, index) => (index === step ? replaced(item, rest, by) : item));
    return changed.filter((item) => item !== undefined);
  }
  if (!isObject(value)) return value;
  return { ...value, [step]: replaced(value[step], rest, by) };
}
