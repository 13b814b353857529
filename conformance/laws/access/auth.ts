import type { RuleId } from '../../../spec/rules.ts';
import {
  type Credential,
  type Exchange,
  elsewhere,
  isObject,
  jsonOf,
  otherHeaders,
  succeeded,
} from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { meantBy } from '../../situations/replies/near-misses.ts';
import { carries } from '../../target/keys.ts';
import { namedScopes } from '../../target/named-scopes.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { errorBodyFault } from '../judging/error-body.ts';
import { type Breach, type Law, lawOf, lawOfReplies, once, type ReplyLaw } from '../judging/law.ts';
import { answered } from '../judging/served.ts';
import { wordsOf } from '../judging/words-of.ts';
import { labelEffects } from '../labels/label-effects.ts';
import { forbiddenBody } from './forbidden-body.ts';

/** A law about requests that do not authenticate: they are answered 403, and change no label. */
function lawOfKeys(rule: RuleId, title: string, applies: ReplyLaw['applies']): Law {
  const isConcerned = (exchange: Exchange, history: History) =>
    exchange.operation !== null && exchange.operation !== 'storage' && applies(exchange, history);
  return lawOfReplies({
    rule,
    title,
    applies: (exchange, history) =>
      isConcerned(exchange, history) && answered(exchange) && isPlain(exchange) && isThere(exchange, history),
    judge: (exchange, history) =>
      exchange.status === 403
        ? null
        : {
            expected: `403 for "${wordsOf(exchange)}"`,
            observed: `${exchange.status}${placesWords(exchange, history)}`,
          },
    more: (_, history) => labelEffects(history, (culprit) => isConcerned(culprit, history)),
  });
}

/** Odd requests may be refused by a gateway before the service, except where the service itself has answered what it thinks of the body. */
const isPlain = (exchange: Exchange) =>
  exchange.twist === null || (exchange.twist.startsWith('body/') && errorBodyFault(exchange) === null);

/** The places of a key that were accepted alone, where a request that has it in all of them was. */
function placesWords({ credential, status }: Exchange, history: History): string {
  const places = credential === 'elsewhere' && succeeded({ status }) ? [...acceptedPlaces(history)] : [];
  return places.length > 0 ? `: a key ${places.join(' or ')} is accepted` : '';
}

const acceptedPlaces = once((history): ReadonlySet<string> => {
  const words = ({ credential, requestHeaders }: Exchange) =>
    credential === 'query'
      ? ['in the query string']
      : credential === 'cookie'
        ? ['in a cookie']
        : credential === 'other-header'
          ? [`in the header ${otherHeaders.filter((name) => name in requestHeaders).join(' or ')}`]
          : [];
  return new Set(history.exchanges.filter(succeeded).flatMap(words));
});

const sentAs =
  (...credentials: readonly Credential[]) =>
  ({ credential }: Exchange) =>
    credentials.includes(credential);

const succeededOperations = once(
  (history) =>
    new Set(
      history.exchanges
        .filter((exchange) => succeeded(exchange) && askedBy(exchange, history).authenticates)
        .map(({ operation }) => operation),
    ),
);

/** Whether the operation exists at its address. If the address is only assumed and nothing succeeded there, the reply may come from a router. */
export function isThere({ operation, status }: Exchange, history: History): boolean {
  if (operation === null || operation === 'storage') return false;
  const address = deploymentIn(history).operation(operation)?.provenance.address;
  return address === 'documented' || succeeded({ status }) || succeededOperations(history).has(operation);
}

/** Operations for which keys in other letter case are refused, mostly at least. The specification leaves open whether case counts, so where it does, a success is a fault. */
const heedingCase = once((history) => {
  const asked = history.exchanges.filter(
    (exchange) => exchange.credential === 'other-case' && askedBy(exchange, history).lacks.length === 0,
  );
  const isRefused = ({ status }: Exchange) => status === 401 || status === 403;
  const heeding = [...Map.groupBy(asked, ({ operation }) => operation)].filter(([, those]) => {
    const refusals = those.filter(isRefused).length;
    return refusals > 0 && refusals >= those.filter(succeeded).length;
  });
  return asked.some(succeeded)
    ? new Set(heeding.map(([operation]) => operation))
    : new Set(asked.map(({ operation }) => operation));
});

const validKeys = lawOf(
  'auth/key-in-x-api-key',
  'a valid key in x-api-key authenticates, each time and for each operation',
  (history) => {
    const valid = history.exchanges.filter(
      (exchange) =>
        answered(exchange) &&
        (exchange.twist === null || exchange.twist === 'legal/header-case') &&
        askedBy(exchange, history).authenticates,
    );
    const breaches = valid.flatMap((exchange): Breach[] => {
      const why = refusedForKey(exchange, history);
      if (why === null) return [];
      const expected = `"${wordsOf(exchange)}" is authenticated`;
      return [{ exchange, expected, observed: `${exchange.status}${why}` }];
    });
    return { applied: valid.length, breaches };
  },
);

/** Why a refusal can only be due to the key, in words; null where the reply is no refusal, or may have another reason. */
export function refusedForKey(exchange: Exchange, history: History): string | null {
  if (exchange.status === 401) return '';
  // A key without the scope is rightly refused, even if the same request succeeded at another time.
  if (exchange.status !== 403 || askedBy(exchange, history).lacks.length > 0) return null;
  if (accepted(history).requests.has(requestKey(exchange)))
    return ', although the same request with the same key succeeded at another time';
  if (!mustBeServed(exchange, history) || accepted(history).keys.has(exchange.key)) return null;
  return ', as everything else with this key';
}

/** Keys that were not refused at least once, and requests that succeeded at least once. */
const accepted = once((history) => {
  const notRefused = history.exchanges.filter(
    (exchange) =>
      answered(exchange) &&
      exchange.status !== 401 &&
      exchange.status !== 403 &&
      askedBy(exchange, history).authenticates,
  );
  return {
    keys: new Set(notRefused.map(({ key }) => key)),
    requests: new Set(notRefused.filter(succeeded).map(requestKey)),
  };
});

const requestKey = ({ key, operation, params, requestBody }: Exchange) =>
  JSON.stringify([key, operation, params, requestBody]);

/** Whether the request has everything that the specification demands, so that a 403 is wrong. */
export function mustBeServed(exchange: Exchange, history: History): boolean {
  const { authenticates, record, label, targetKey } = askedBy(exchange, history);
  const scopes = namedScopes(exchange.operation);
  const may = scopes !== null && targetKey !== undefined && carries(targetKey, scopes);
  const ours = (record === null || record === 'ours') && (label === null || label === 'spare');
  return authenticates && exchange.twist === null && may && ours && isThere(exchange, history);
}

/** What successful replies of each operation look like: the names in them, and for HEAD requests their length. */
const looks = once((history): ReadonlySet<string> => {
  const good = history.exchanges.filter((one) => succeeded(one) && askedBy(one, history).authenticates);
  return new Set(good.flatMap((one) => [namesIn(one), lengthOf(one)].map((look) => `${one.operation} ${look}`)));
});

function namesIn(exchange: Exchange): string {
  const json = jsonOf(exchange);
  const [first] = Array.isArray(json) ? json : [json];
  return isObject(first) ? Object.keys(first).sort().join() : '';
}

const lengthOf = ({ headers }: Exchange) => (headers['content-length'] ?? '') && `${headers['content-length']} bytes`;

/** A router may send a page for any path, so only a reply like that of the operation shows that the operation was carried out. */
const nearMisses = (rule: RuleId, ...credentials: readonly Credential[]) =>
  lawOfReplies({
    id: `${rule}/near-misses`,
    rule,
    title: 'no operation is carried out for nearly its path or method without a valid key',
    applies: (exchange) =>
      exchange.operation === null && sentAs(...credentials)(exchange) && meantBy(exchange.twist) !== undefined,
    judge: (exchange, history) => {
      const look = exchange.method === 'HEAD' && !exchange.body ? lengthOf(exchange) : namesIn(exchange);
      const meant = meantBy(exchange.twist);
      return succeeded(exchange) && look !== '' && looks(history).has(`${meant} ${look}`)
        ? { expected: 'no success without a valid key', observed: `${exchange.status} with the reply of ${meant}` }
        : null;
    },
  });

/** Laws about keys and the header for them. */
export const auth: readonly Law[] = [
  lawOfKeys(
    'auth/no-key-is-403',
    'a request without a key is answered 403 and changes nothing, whatever was asked',
    sentAs('none', 'empty'),
  ),
  lawOfKeys(
    'auth/unknown-key-is-403',
    'a request with a key that nobody has is answered 403 and changes nothing',
    (exchange, history) =>
      sentAs('unknown', 'part-of-a-key')(exchange) ||
      (exchange.credential === 'other-case' && heedingCase(history).has(exchange.operation)),
  ),
  lawOfReplies({
    rule: 'auth/key-in-other-case',
    title: 'a key in the other letter case is not recognised',
    applies: (exchange, history) =>
      exchange.credential === 'other-case' && answered(exchange) && isPlain(exchange) && isThere(exchange, history),
    judge: (exchange) =>
      succeeded(exchange)
        ? {
            expected: `a refusal of "${wordsOf(exchange)}"`,
            observed: `${exchange.status}: the letter case of keys does not count`,
          }
        : null,
  }),
  lawOfKeys(
    'auth/revoked-key-is-403',
    'a request with a revoked key is answered 403 and changes nothing',
    (exchange, history) => exchange.credential === 'key' && askedBy(exchange, history).targetKey?.revoked === true,
  ),
  lawOfKeys('auth/bearer-is-not-supported', 'a key as Bearer token is no key: the answer is 403', sentAs('bearer')),
  lawOfKeys(
    'auth/header-is-required',
    'a key anywhere but in x-api-key is no key: the answer is 403',
    sentAs('basic', 'authorization', ...elsewhere, 'elsewhere'),
  ),
  nearMisses('auth/no-key-is-403', 'none'),
  nearMisses('auth/unknown-key-is-403', 'unknown'),
  validKeys,
  forbiddenBody,
];
