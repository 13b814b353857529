import { seededRandom } from '../../../spec/random.ts';
import { type Exchange, isObject, jsonOf, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { judgeHistory } from '../../laws/judge-history.ts';
import { tryDefect } from '../trials/trial.ts';
import type { EditRun } from './parts.ts';

/** A good history with one change in one exchange. */
interface Edit {
  readonly what: string;
  readonly kind: string;
  readonly exchange: Exchange;
}

/** Judges a share of all edits of a good history. Each edit should break a law, or be harmless for a known reason. */
export async function editRuns(seed: number, [from, to]: readonly [number, number]): Promise<EditRun[]> {
  const { history } = await tryDefect(null, { seed });
  const all = [...editsOf(history, seededRandom(seed))];
  return all.slice(Math.floor(from * all.length), Math.floor(to * all.length)).map(({ what, kind, exchange }) => {
    const exchanges = history.exchanges.map((one) => (one.n === exchange.n ? exchange : one));
    const broken = judgeHistory({ ...history, exchanges }).filter(({ finding }) => finding.breaches.length > 0);
    return { part: 'edits', what, kind, brokenLaws: broken.map(({ id }) => id) };
  });
}

/** Every possible edit of every exchange. The value of a body to edit is chosen at random. */
function* editsOf({ exchanges }: History, random: () => number): Generator<Edit> {
  for (const exchange of exchanges) {
    const { operation, status, body, headers } = exchange;
    if (status === null) continue;
    const of = `${operation ?? 'no operation'} ${status}${exchange.credential === 'key' ? '' : `, key: ${exchange.credential}`}${exchange.twist === null ? '' : `, ${exchange.twist}`}`;
    const edit = (kind: string, changes: Partial<Exchange>): Edit => ({
      what: `${kind} of ${of}`,
      kind: `${kind} of ${operation ?? 'no operation'} ${status < 300 ? 'success' : status}`,
      exchange: { ...exchange, ...changes },
    });
    yield edit('status to 200', { status: 200 });
    yield edit('status to 403', { status: 403 });
    yield edit('status to 404', { status: 404 });
    yield edit('body gone', { body: '' });
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
