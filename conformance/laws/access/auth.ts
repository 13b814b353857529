import { type Credential, type Exchange, elsewhere, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { namedScopes } from '../../target/named-scopes.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { type Breach, type Judged, type Law, lawOfReplies, once } from '../judging/law.ts';
import { answered } from '../judging/served.ts';
import { wordsOf } from '../judging/words-of.ts';
import { carriedOut } from '../labels/carried-out.ts';
import { forbiddenBody } from './forbidden-body.ts';

interface Way {
  readonly rule: Law['rule'];
  readonly title: string;
  readonly applies: (exchange: Exchange, history: History) => boolean;
  readonly judge: (exchange: Exchange, history: History) => Judged;
}

/** A law of requests that do not authenticate: how each is answered, and that none changes a label. */
function lawOfKeys({ rule, title, applies, judge }: Way): Law {
  const concerns = (exchange: Exchange, history: History) =>
    exchange.operation !== null && exchange.operation !== 'storage' && applies(exchange, history);
  const replies = lawOfReplies({
    rule,
    title,
    applies: (exchange, history) =>
      concerns(exchange, history) && answered(exchange) && exchange.twist === null && isThere(exchange, history),
    judge,
  });
  return {
    ...replies,
    judge(history) {
      const { applied, breaches } = replies.judge(history);
      const done = carriedOut(history, (culprit) => concerns(culprit, history));
      return {
        applied,
        breaches: [...breaches, ...done.breaches],
        unclear: done.unclear,
        answers:
          rule === 'auth/unknown-key-is-403' && takesAnyCase(history) ? ['keys are recognised in any letter case'] : [],
      };
    },
  };
}

const shownAs = (...ways: readonly Credential[]) => {
  const wanted: ReadonlySet<Credential> = new Set(ways);
  return ({ credential }: Exchange) => wanted.has(credential);
};

/** Shown in any other way no key is sent, so that each of these is answered as a request without one. */
const must403 = (exchange: Exchange): Judged =>
  exchange.status === 403 ? null : { expected: `403 for "${wordsOf(exchange)}"`, observed: `${exchange.status}` };

const succeededOperations = once(
  (history) =>
    new Set(
      history.exchanges
        .filter((exchange) => succeeded(exchange) && askedBy(exchange, history).authenticates)
        .map(({ operation }) => operation),
    ),
);

/** Where method and path are only assumed, and no request ever succeeded, nothing may be there that could ask for a key. */
export function isThere({ operation, status }: Exchange, history: History): boolean {
  if (operation === null || operation === 'storage') return false;
  const address = deploymentIn(history).operation(operation)?.provenance.address;
  return address === 'documented' || succeeded({ status }) || succeededOperations(history).has(operation);
}

/** How keys are compared the document leaves open: a deployment that takes one in other letter case has recognised it. */
const takesAnyCase = once((history) =>
  history.exchanges.some((exchange) => exchange.credential === 'other-case' && succeeded(exchange)),
);

const isRevoked = (exchange: Exchange, history: History) =>
  exchange.credential === 'key' && askedBy(exchange, history).targetKey?.revoked === true;

/** That a valid key authenticates: it is not refused, where nothing but the key could be the reason. */
const validKeys: Law = {
  id: 'auth/key-in-x-api-key',
  rule: 'auth/key-in-x-api-key',
  title: 'a valid key in x-api-key authenticates, each time and for each operation',
  judge(history) {
    const valid = history.exchanges.filter(
      (exchange) => answered(exchange) && exchange.twist === null && askedBy(exchange, history).authenticates,
    );
    const breaches = valid.flatMap((exchange): Breach[] => {
      const why = refusedForKey(exchange, history);
      if (why === null) return [];
      const expected = `"${wordsOf(exchange)}" is authenticated`;
      return [{ exchange, expected, observed: `${exchange.status}${why}` }];
    });
    return { applied: valid.length, breaches };
  },
};

/** Why a refusal can only be the key's, in words; null where it is none, or may have another reason. */
export function refusedForKey(exchange: Exchange, history: History): string | null {
  if (exchange.status === 401) return '';
  // A key that lacks a scope is refused for that, whatever was let through at another time.
  if (exchange.status !== 403 || askedBy(exchange, history).lacks.length > 0) return null;
  if (passes(history).admitted.has(same(exchange)))
    return ', although the same request with the same key succeeded at another time';
  if (!mustBeServed(exchange, history) || passes(history).gotThrough.has(exchange.key)) return null;
  return ', as everything else with this key';
}

/** Requests that succeeded, and keys that got through to anything. */
const passes = once((history) => {
  const through = history.exchanges.filter(
    (exchange) =>
      answered(exchange) &&
      exchange.status !== 401 &&
      exchange.status !== 403 &&
      askedBy(exchange, history).authenticates,
  );
  return {
    gotThrough: new Set(through.map(({ key }) => key)),
    admitted: new Set(through.filter(succeeded).map(same)),
  };
});

const same = ({ key, operation, params, requestBody }: Exchange) =>
  JSON.stringify([key, operation, params, requestBody]);

/** Everything about it is in order by what the document itself says, so that a 403 has no right reason. */
export function mustBeServed(exchange: Exchange, history: History): boolean {
  const { authenticates, record, label, targetKey } = askedBy(exchange, history);
  const scopes = namedScopes(exchange.operation);
  const carries = scopes?.every((scope) => targetKey?.scopes.includes(scope)) ?? false;
  const ours = (record === null || record === 'ours') && (label === null || label === 'spare');
  return authenticates && exchange.twist === null && carries && ours && isThere(exchange, history);
}

/** The key and where it stands. */
export const auth: readonly Law[] = [
  lawOfKeys({
    rule: 'auth/no-key-is-403',
    title: 'a request without a key is answered 403 and changes nothing, whatever was asked',
    applies: shownAs('none', 'empty'),
    judge: must403,
  }),
  lawOfKeys({
    rule: 'auth/unknown-key-is-403',
    title: 'a request with a key that nobody has is answered 403 and changes nothing',
    applies: (exchange, history) =>
      shownAs('unknown', 'part-of-a-key')(exchange) || (exchange.credential === 'other-case' && !takesAnyCase(history)),
    judge: must403,
  }),
  lawOfKeys({
    rule: 'auth/revoked-key-is-403',
    title: 'a request with a revoked key is answered 403 and changes nothing',
    applies: isRevoked,
    judge: must403,
  }),
  lawOfKeys({
    rule: 'auth/bearer-is-not-supported',
    title: 'a key as Bearer token is no key: the answer is 403',
    applies: shownAs('bearer'),
    judge: must403,
  }),
  lawOfKeys({
    rule: 'auth/header-is-required',
    title: 'a key anywhere but in x-api-key is no key: the answer is 403',
    applies: shownAs('basic', 'authorization', ...elsewhere, 'elsewhere'),
    judge: must403,
  }),
  validKeys,
  forbiddenBody,
];
