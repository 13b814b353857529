import { type OperationId, operations, type Scope } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { type Exchange, refused, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { ProfilePatch } from '../../profile-patch.ts';
import { lacksScope } from '../../target/keys.ts';
import { namedScopes, scopeRules } from '../../target/named-scopes.ts';
import { askedBy } from '../judging/asked.ts';
import { type Law, lawOf, lawOfReplies } from '../judging/law.ts';
import { answered } from '../judging/served.ts';
import { wordsOf } from '../judging/words-of.ts';
import { labelEffects } from '../labels/label-effects.ts';
import { isThere, mustBeServed, refusedForKey } from './auth.ts';

/** Documented scopes of the operation that the key surely lacks. */
function surelyMissing(exchange: Exchange, history: History): readonly Scope[] {
  const { authenticates, targetKey } = askedBy(exchange, history);
  if (!authenticates || targetKey === undefined) return [];
  return (namedScopes(exchange.operation) ?? []).filter((scope) => lacksScope(targetKey, scope));
}

const listed = (scopes: readonly Scope[]) => scopes.join(' and ');

/** For each rule that names scopes of operations: no key without these scopes is served. */
const needs = [...new Set(Object.values(scopeRules))].map((rule: RuleId): Law => {
  const ids = new Set<Exchange['operation']>(
    (Object.keys(scopeRules) as OperationId[]).filter((id) => scopeRules[id] === rule),
  );
  return lawOfReplies({
    rule,
    title: `no key without the scope is served: ${[...ids].map((id) => operations[id as OperationId].summary.toLowerCase()).join(', ')}`,
    applies: (exchange, history) =>
      ids.has(exchange.operation) && answered(exchange) && surelyMissing(exchange, history).length > 0,
    judge: (exchange, history) =>
      succeeded(exchange)
        ? {
            expected: `"${wordsOf(exchange)}" is refused: the key lacks ${listed(surelyMissing(exchange, history))}`,
            observed: `${exchange.status}`,
          }
        : null,
    more: (_, history) => ({ answers: implicationsIn(history, (id) => ids.has(id)) }),
  });
});

/** Scopes that this deployment accepts in place of those that the document names, where that is no breach. */
function implicationsIn(history: History, concerns: (operation: Exchange['operation']) => boolean): string[] {
  return history.exchanges.flatMap((exchange) => {
    const { authenticates, targetKey, lacks } = askedBy(exchange, history);
    const implied = authenticates && targetKey !== undefined && concerns(exchange.operation) && succeeded(exchange);
    return implied && lacks.length > 0 && surelyMissing(exchange, history).length === 0
      ? [`${listed(lacks)} is not needed by a key with ${listed(targetKey.scopes)}`]
      : [];
  });
}

/** Whether the scope is the only possible problem. A deployment may complain about a label or a record before it checks the scope. */
const onlyScopes = (exchange: Exchange, history: History) => {
  const { record, label } = askedBy(exchange, history);
  return exchange.twist === null && (record === null || record === 'ours') && (label === null || label === 'spare');
};

const missingIs403 = lawOfReplies({
  rule: 'scopes/missing-scope-is-403',
  title: 'a request with a key that lacks a scope is answered 403 and changes nothing',
  applies: (exchange, history) =>
    refused(exchange) &&
    surelyMissing(exchange, history).length > 0 &&
    onlyScopes(exchange, history) &&
    isThere(exchange, history),
  judge: (exchange, history) =>
    exchange.status === 403
      ? null
      : {
          expected: `403 for "${wordsOf(exchange)}": the key lacks ${listed(surelyMissing(exchange, history))}`,
          observed: `${exchange.status}`,
        },
  more: (_, history) =>
    labelEffects(history, (culprit) => {
      const { authenticates, lacks } = askedBy(culprit, history);
      return authenticates && refused(culprit) && lacks.length > 0;
    }),
});

const suffice = lawOfReplies({
  rule: 'scopes/named-scopes-suffice',
  title: 'a key that carries the scopes that the document names is not refused with 403',
  applies: (exchange, history) => answered(exchange) && mustBeServed(exchange, history),
  judge: (exchange, history) =>
    exchange.status === 403 && refusedForKey(exchange, history) === null
      ? {
          expected: `"${wordsOf(exchange)}" is allowed: it needs ${listed(namedScopes(exchange.operation) ?? [])} only`,
          observed: '403',
        }
      : null,
});

/** The scopes that a deployment demands where the specification names none. */
const unnamed = lawOf(
  'scopes/where-none-is-named',
  'labels of a site need site:write; applying a label to a link needs client:write and site:write; registering a file needs siteFile:write; listing labels needs no scope',
  (history) => {
    const ids: readonly OperationId[] = [
      'applySiteLabel',
      'removeSiteLabel',
      'applyClientSiteLabel',
      'registerSiteFile',
      'listLabels',
    ];
    const answers: string[] = [];
    const profile: ProfilePatch[] = [];
    let applied = 0;
    const breaches = ids.flatMap((id) => {
      const candidates = history.exchanges.filter(
        (exchange) => exchange.operation === id && answered(exchange) && onlyScopes(exchange, history),
      );
      const tried = candidates.flatMap((exchange) => {
        const { authenticates, targetKey } = askedBy(exchange, history);
        return authenticates && targetKey !== undefined ? [{ exchange, scopes: targetKey.scopes }] : [];
      });
      applied += tried.length;
      const served = tried.filter(({ exchange }) => exchange.status !== 403 && exchange.status !== 401);
      if (served.length === 0) return [];
      const { scopes } = operations[id];
      const needed = scopes.filter((scope) => served.every((one) => one.scopes.includes(scope)));
      answers.push(`${id} needs ${listed(needed) || 'no scope'}`);
      profile.push({ operations: { [id]: { scopes: needed } } });
      return tried.flatMap(({ exchange, scopes: keyScopes }) => {
        const lacking = scopes.filter((scope) => lacksScope({ scopes: keyScopes }, scope));
        const isServed = exchange.status !== 403 && exchange.status !== 401;
        if (lacking.length > 0 === !isServed) return [];
        if (lacking.length === 0 && scopes.some((scope) => !keyScopes.includes(scope))) return [];
        const expected = `"${wordsOf(exchange)}" ${isServed ? `needs ${listed(lacking)}` : `needs ${listed(scopes) || 'no scope'} and nothing else`}`;
        return [{ exchange, expected, observed: `${exchange.status}` }];
      });
    });
    return { applied, breaches, answers, profile };
  },
);

/** Laws about the scopes of operations. */
export const scopes: readonly Law[] = [...needs, missingIs403, suffice, unnamed];
