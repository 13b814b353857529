/** The life of keys that hooks made: what they were served, the lists of keys, where secrets are shown, and how a raised limit works. */
import type { HookName } from '../../spec/files/hooks.ts';
import type { Target } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import { isAWordIn } from '../contract/leaks.ts';
import { type Exchange, isObject, succeeded, valuesOf } from '../history/exchange.ts';
import type { HookCall } from '../history/hook-call.ts';
import { nameAfter } from '../hooks/made-keys.ts';
import { keyNamed } from '../target/deployment.ts';
import { keyPlaceholder } from '../target/secrets.ts';
import type { Judge } from './traffic.ts';

const nameIn = ({ input }: HookCall) => String(input.name);
const secretIn = ({ output }: HookCall) => (isObject(output) ? String(output.secret) : '');
const live = (call: HookCall) => `${call.tenant}/${nameIn(call)}`;
const renewed = (call: HookCall) => `${call.tenant}/${nameAfter.regenerateKey(nameIn(call))}`;
const revoked = (call: HookCall) => `${call.tenant}/${nameAfter.revokeKey(nameIn(call))}`;

/** What a list shows of a key, by id or name: its row, or the text that names it, and what stands beside the lists around it; undefined where it is not there. */
export function entryIn(list: unknown, { id, name }: HookCall['input']): unknown {
  const places = valuesOf(list);
  const texts = places.flatMap(([at, value]) => (typeof value === 'string' ? [{ at, value }] : []));
  const cell = texts.find(({ value }) => value === id || value === name)?.at.slice(0, -1);
  const path = cell ?? texts.find(({ value }) => [id, name].some((one) => isAWordIn(String(one), value)))?.at;
  if (path === undefined) return undefined;
  // The row is all of the item of the innermost list.
  const end = path.findLastIndex((step) => typeof step === 'number') + 1 || path.length;
  const isOn = (at: typeof path) => at.every((step, i) => step === path[i]);
  const row = places.find(([at]) => at.length === end && isOn(at))?.[1];
  const beside = texts.filter(({ at }) => at.length <= end && typeof at.at(-1) === 'string' && isOn(at.slice(0, -1)));
  return [typeof row === 'string' ? row.split(/\W+/) : row, path.slice(0, end), beside.map(({ value }) => value)];
}

export const isMarked = (entry: unknown) =>
  valuesOf(entry).some(
    ([path, value]) => /^revoked$/i.test(String(value)) || (value === true && /^revoked$/i.test(String(path.at(-1)))),
  );

export const judgeKeys: Judge = ({ exchanges, hooks, cases, deployment, known: { target } }, evidenceOf) => {
  const calls = (hook: HookName) => hooks.filter((call) => call.hook === hook && call.failure === null);
  const judge = (rule: RuleId, isKept: boolean, exchange: Exchange, expected: string, observed: string) => {
    if (isKept) evidenceOf(rule).kept++;
    else evidenceOf(rule).broken(exchange, expected, observed);
  };
  const [created, regenerated, revocations] = [calls('createKey'), calls('regenerateKey'), calls('revokeKey')];

  // What a key was served that it must not be.
  const alive = new Set([...created.map(live), ...regenerated.map(renewed)]);
  const dead = new Set(revocations.map(revoked));
  for (const [exchange, { isElsewhere, lacks }] of cases) {
    const { key, status } = exchange;
    if (key === null || isElsewhere || isUnavailable(exchange)) continue;
    const isKept = !succeeded(exchange);
    if (dead.has(key))
      judge('keys/revocation-is-immediate-and-listed', isKept, exchange, 'a refusal: the key is revoked', `${status}`);
    else if (alive.has(key) && lacks === 'named')
      judge('keys/created-with-name-and-scopes', isKept, exchange, 'a refusal: the scope was not chosen', `${status}`);
  }

  // A list comes from a hook. The last request with the key before it stands for it. Of lists one after the other, the last counts.
  const judgeList = (
    rule: RuleId,
    call: HookCall,
    list: HookCall | undefined,
    isKept: boolean,
    expected: string,
    shown = 'a list of keys that does not show that',
  ) => {
    const isOfKey = ({ key }: Exchange) => key !== null && [live, renewed, revoked].some((name) => name(call) === key);
    const exchange = list && exchanges.findLast((one) => isOfKey(one) && one.sentAt <= list.startedAt);
    if (exchange) judge(rule, isKept, exchange, expected, shown);
  };
  const lastListAfter = ({ script, doneAt }: HookCall) => {
    const later = hooks.filter((one) => one.script === script && one.startedAt >= doneAt);
    const other = later.findIndex(({ hook }) => hook !== 'listKeys');
    return later.slice(0, other < 0 ? undefined : other).findLast(({ failure }) => failure === null);
  };
  /** What the product shows later, apart from new secrets. */
  const shownAfter = ({ script, doneAt }: HookCall) =>
    hooks.filter(
      ({ hook, failure, ...one }) =>
        one.script === script && one.startedAt >= doneAt && failure === null && !/^(create|regenerate)Key$/.test(hook),
    );
  const { secretsIn, ownerOf } = secretsOf(target, [...created, ...regenerated]);
  for (const call of created) {
    const last = lastListAfter(call);
    const isNamed = entryIn(last?.output, call.input) !== undefined;
    judgeList('keys/created-with-name-and-scopes', call, last, isNamed, `key ${nameIn(call)} in the list`);
    for (const one of shownAfter(call)) {
      const isHidden = secretsIn(JSON.stringify(one.output ?? null)).length === 0;
      judgeList('keys/secret-shown-only-once', call, one, isHidden, `no secret from ${one.hook}`, 'a secret');
    }
  }
  for (const call of revocations) {
    const last = lastListAfter(call);
    const expected = `key ${nameIn(call)} in the list, marked REVOKED`;
    const isKept = isMarked(entryIn(last?.output, call.input));
    judgeList('keys/revocation-is-immediate-and-listed', call, last, isKept, expected);
  }
  for (const call of regenerated) {
    const before = created.find((one) => live(one) === live(call));
    const exchange = exchanges.find(({ key }) => key === renewed(call));
    const isNew = before && secretIn(before) !== secretIn(call);
    if (isNew !== undefined && exchange)
      judge('keys/regeneration-issues-a-new-secret', isNew, exchange, 'a new secret', 'the old secret');
  }

  for (const exchange of exchanges) {
    const { status, headers, body, url, requestHeaders, credential, key } = exchange;
    if (status === null) continue;
    const sent = secretsIn([url, ...Object.values(requestHeaders)].join('\n'));
    const isValid = credential === 'key' && keyNamed(deployment, key)?.revoked === false;
    // A refusal may repeat a value that is no key, or that stood where no key belongs.
    const leak = secretsIn([...Object.entries(headers).flat(), body ?? ''].join('\n')).find(
      (secret) => isValid || !(sent.includes(secret) || key?.startsWith(ownerOf(secret))),
    );
    const observed = leak === undefined ? '' : `the secret of ${ownerOf(leak)}`;
    judge('keys/secret-shown-only-once', leak === undefined, exchange, 'no secret of a key', observed);
  }
};

/** Finds secrets in texts of the history, where placeholders stand for them, and whose they are. */
function secretsOf(target: Target, made: readonly HookCall[]) {
  const owners = new Map([
    ...target.tenants.flatMap(({ name, keys }, t) =>
      keys.map((key, k): [string, string] => [keyPlaceholder(target, t, k), `${name}/${key.name}`]),
    ),
    ...made.map((call): [string, string] => [secretIn(call), live(call)]),
  ]);
  return {
    secretsIn: (text: string) => (text.match(/\$\w+/g) ?? []).filter((word) => owners.has(word)),
    ownerOf: (secret: string) => owners.get(secret) ?? '',
  };
}

/** Whether a key whose limit was raised may send more. A trial tells whether the limit is the reason where it may not. */
export const judgeRaised: Judge = ({ exchanges, hooks }, evidenceOf) => {
  const raised = hooks
    .filter(({ hook, failure }) => hook === 'raiseLimit' && failure === null)
    .map(({ tenant, input }) => `${tenant}/${nameAfter.raiseLimit(String(input.name))}`);
  const limit = evidenceOf('limiter/limits-can-be-raised');
  const used = exchanges.filter(({ key }) => key !== null && raised.includes(key));
  const throttled = used.filter(({ status }) => status === 429);
  limit.kept += used.length - throttled.length;
  if (throttled.length > 0 && limit.failures.length === 0)
    limit.unclear.push(`${throttled.length} of ${used.length} requests within the raised limit were throttled`);
};

/** How often keys of one tenant were shown the same. What one is not shown is tried by a trial. */
export const judgePartnerKeys: Judge = ({ cases }, evidenceOf) => {
  const reads = [...cases].flatMap(([exchange, { owner, isRead, isElsewhere, caller }]) => {
    const isOurs = owner === null || owner === 'ours';
    return isRead && !isElsewhere && isOurs && caller === 'valid' && succeeded(exchange) ? [exchange] : [];
  });
  const nameOf = ({ operation, key, params }: Exchange) =>
    JSON.stringify([operation, key?.split('/')[0], Object.values(params)]);
  for (const replies of Map.groupBy(reads, nameOf).values())
    if (new Set(replies.map(({ key }) => key)).size > 1) evidenceOf('keys/partner-scoped').kept += replies.length;
};
