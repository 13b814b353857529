import { type Exchange, isObject, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { HookCall } from '../../hooks/hook-call.ts';
import { nameAfter } from '../../hooks/made-keys.ts';
import { namedScopes } from '../../target/named-scopes.ts';
import { keyPlaceholder } from '../../target/secrets.ts';
import { measurementOf } from '../../verdict/limiter/limiter.ts';
import { missingIn } from '../../verdict/limiter/runs.ts';
import { askedBy } from '../judging/asked.ts';
import { type Breach, type Law, lawOf } from '../judging/law.ts';
import { answered } from '../judging/served.ts';
import { wordsOf } from '../judging/words-of.ts';

/** Successful calls of a hook. */
const callsOf = ({ hooks }: History, hook: HookCall['hook']) =>
  hooks.filter((call) => call.hook === hook && call.failure === null);

const nameIn = ({ input }: HookCall) => String(input.name);

/** Requests with the key of that name, in order. */
const requestsBy = ({ exchanges }: History, { tenant }: HookCall, name: string): Exchange[] =>
  exchanges.filter(({ key }) => key === `${tenant}/${name}`);

/** Lists of keys that the same situation asked for after this call. */
const listsAfter = (history: History, { doneAt, situation }: HookCall) =>
  callsOf(history, 'listKeys').filter((list) => list.situation === situation && list.startedAt >= doneAt);

/** Each successful call of these hooks with each list of keys after it. */
const listedAfter = (history: History, ...hooks: readonly HookCall['hook'][]) =>
  hooks
    .flatMap((hook) => callsOf(history, hook))
    .flatMap((call) => listsAfter(history, call).map((list) => ({ call, list })));

/** The entry of a key in a list, by id or name; undefined where there is none. */
function entryIn({ output }: HookCall, call: HookCall): unknown {
  const ids = [call.input.id, nameIn(call)];
  const entries = [...valuesOf(output)].flatMap(([, value]) => (isObject(value) ? [value] : []));
  return entries.find((entry) => Object.values(entry).some((value) => ids.includes(value as string)));
}

const isMarked = (entry: unknown) =>
  [...valuesOf(entry)].some(
    ([path, value]) => /^revoked$/i.test(String(value)) || (value === true && /^revoked$/i.test(String(path.at(-1)))),
  );

/** A list of keys comes from a hook, not from an exchange. The last exchange with the key before the list stands for the list. */
function exchangeBefore(history: History, call: HookCall, list: HookCall): Exchange | undefined {
  const { tenant } = call;
  const names = [nameIn(call), nameAfter.revokeKey(nameIn(call))].map((name) => `${tenant}/${name}`);
  return history.exchanges.findLast(({ key, sentAt }) => names.includes(key ?? '') && sentAt <= list.startedAt);
}

function breachOfList(history: History, call: HookCall, list: HookCall, expected: string, observed: string): Breach[] {
  const exchange = exchangeBefore(history, call, list);
  return exchange === undefined ? [] : [{ exchange, expected, observed }];
}

const isRefusal = ({ status }: Exchange) => status === 401 || status === 403;

const created = lawOf(
  'keys/created-with-name-and-scopes',
  'a new key has the given name and exactly the chosen scopes',
  (history) => {
    const calls = callsOf(history, 'createKey');
    const requests = calls.flatMap((call) =>
      requestsBy(history, call, nameIn(call)).filter((one) => answered(one) && one.credential === 'key'),
    );
    const breaches = requests.flatMap((exchange): Breach[] => {
      const { lawful, surelyLacks } = askedBy(exchange, history);
      const named = namedScopes(exchange.operation) !== null;
      const wanted =
        lawful && isRefusal(exchange) && (named || exchange.status === 401)
          ? 'to succeed with the scopes of the new key'
          : surelyLacks && named && succeeded(exchange) && 'to be refused: the new key does not have the scope';
      const expected = `"${wordsOf(exchange)}" ${wanted}`;
      return wanted ? [{ exchange, expected, observed: `${exchange.status}` }] : [];
    });
    const unnamed = listedAfter(history, 'createKey').flatMap(({ call, list }) =>
      entryIn(list, call) === undefined
        ? breachOfList(history, call, list, `key ${nameIn(call)} in the list of keys`, 'it is not there')
        : [],
    );
    return { applied: requests.length, breaches: [...breaches, ...unnamed] };
  },
);

/** Finds secrets in texts of the history, where placeholders stand for them: each placeholder with the key that has the secret. */
function secretsOf(history: History): (text: string) => ReadonlyMap<string, string> {
  const { target } = history.known;
  const owners = new Map<string, string>(
    target.tenants.flatMap(({ name, keys }, t) =>
      keys.map((key, k) => [keyPlaceholder(target, t, k), `${name}/${key.name}`] as const),
    ),
  );
  for (const call of [...callsOf(history, 'createKey'), ...callsOf(history, 'regenerateKey')])
    owners.set(String((call.output as { secret?: unknown } | undefined)?.secret), `${call.tenant}/${nameIn(call)}`);
  return (text) =>
    new Map(
      Array.from(text.matchAll(/\$\w+/g)).flatMap(([word]) => {
        const owner = owners.get(word);
        return owner === undefined ? [] : [[word, owner]];
      }),
    );
}

const shownOnce = lawOf(
  'keys/secret-shown-only-once',
  'no reply and no list of keys shows the secret of a key',
  (history) => {
    const secretsIn = secretsOf(history);
    const replies = history.exchanges.filter(({ status }) => status !== null);
    const shown = replies.flatMap((exchange): Breach[] => {
      const { headers, body, key, url, requestHeaders } = exchange;
      const secrets = secretsIn([...Object.entries(headers).flat(), body ?? ''].join('\n'));
      if (secrets.size === 0) return [];
      const sent = secretsIn([url, ...Object.values(requestHeaders)].join('\n'));
      // A refusal may repeat a value that is no key, or that stood where no key belongs.
      const [leak] =
        [...secrets].find(
          ([secret, owner]) =>
            askedBy(exchange, history).authenticates || !(sent.has(secret) || key?.startsWith(owner)),
        ) ?? [];
      return leak === undefined ? [] : [{ exchange, expected: 'no secret of a key', observed: `the secret ${leak}` }];
    });
    const lists = listedAfter(history, 'createKey', 'regenerateKey');
    const listed = lists.flatMap(({ call, list }) => {
      const [leak] = secretsIn(JSON.stringify(list.output ?? null)).keys();
      return leak === undefined
        ? []
        : breachOfList(history, call, list, 'no secret in the list of keys', `the secret ${leak}`);
    });
    return { applied: replies.length + lists.length, breaches: [...shown, ...listed] };
  },
);

/** Whether the refused key may lack a scope that is not documented: no key with as few scopes ever succeeded with the operation. */
function mayLackScope(exchange: Exchange, history: History): boolean {
  const scopesOf = (one: Exchange) => askedBy(one, history).targetKey?.scopes ?? [];
  const { status, operation } = exchange;
  const own = scopesOf(exchange);
  const hasAsMany = (one: Exchange) => scopesOf(one).every((scope) => own.includes(scope));
  return (
    status !== 401 &&
    namedScopes(operation) === null &&
    !history.exchanges.some((one) => one.operation === operation && succeeded(one) && hasAsMany(one))
  );
}

const regenerated = lawOf(
  'keys/regeneration-issues-a-new-secret',
  'a key that is regenerated has a new secret, which authenticates',
  (history) => {
    const calls = callsOf(history, 'regenerateKey');
    const secretOf = (call: HookCall | undefined) => (call?.output as { secret?: unknown } | undefined)?.secret;
    const breaches: Breach[] = [];
    const answers: string[] = [];
    let applied = 0;
    for (const call of calls) {
      const name = nameIn(call);
      const all = requestsBy(history, call, name).filter((one) => answered(one) && one.sentAt >= call.doneAt);
      const fresh = all.filter(({ credential }) => credential === 'key');
      applied += fresh.length;
      const [first] = fresh;
      const creation = callsOf(history, 'createKey').find((one) => one.tenant === call.tenant && nameIn(one) === name);
      if (first !== undefined && secretOf(creation) === secretOf(call))
        breaches.push({ exchange: first, expected: `a new secret of ${name}`, observed: 'the old secret' });
      for (const exchange of fresh)
        if (isRefusal(exchange) && askedBy(exchange, history).lawful && !mayLackScope(exchange, history)) {
          const expected = `"${wordsOf(exchange)}" to succeed with the new secret`;
          breaches.push({ exchange, expected, observed: `${exchange.status}` });
        }
      const old = all.filter(({ credential }) => credential === 'replaced');
      if (old.length > 0)
        answers.push(
          old.some(succeeded)
            ? 'the old secret works for a while after a key is regenerated'
            : 'the old secret stops working as soon as a key is regenerated',
        );
    }
    return { applied, breaches, answers };
  },
);

const revoked = lawOf(
  'keys/revocation-is-immediate-and-listed',
  'a key that is revoked is refused from the next request on, and stays in the list of keys, marked REVOKED',
  (history) => {
    const requests = callsOf(history, 'revokeKey').flatMap((call) =>
      requestsBy(history, call, nameAfter.revokeKey(nameIn(call))).filter(answered),
    );
    const late = requests.filter(succeeded).map((exchange): Breach => {
      const expected = `403 for "${wordsOf(exchange)}"`;
      return { exchange, expected, observed: `${exchange.status}` };
    });
    const lists = listedAfter(history, 'revokeKey');
    const listed = lists.flatMap(({ call, list }) => {
      const entry = entryIn(list, call);
      const expected = `key ${nameIn(call)} in the list of keys, marked REVOKED`;
      const observed = entry === undefined ? 'it is not there' : 'the key without that mark';
      return isMarked(entry) ? [] : breachOfList(history, call, list, expected, observed);
    });
    return { applied: requests.length + lists.length, breaches: [...late, ...listed] };
  },
);

const raised = lawOf('limiter/limits-can-be-raised', 'a key whose limit was raised may use all of it', (history) => {
  const calls = callsOf(history, 'raiseLimit');
  const breaches = calls.flatMap((call): Breach[] => {
    const used = requestsBy(history, call, nameAfter.raiseLimit(nameIn(call)));
    const limit = { perSecond: Number(call.input.perSecond), burst: Number(call.input.burst) };
    const throttled = used.find(({ status }) => status === 429);
    if (throttled === undefined || missingIn(used, limit) === 0) return [];
    const expected = `${limit.burst} requests at once with a limit of ${limit.perSecond} per second and a burst of ${limit.burst}`;
    return [{ exchange: throttled, expected, observed: '429' }];
  });
  const { tooStrict, tooLax } = measurementOf(history)?.judgement ?? {};
  return breaches.length > 0 && (tooStrict || tooLax)
    ? {
        applied: calls.length,
        breaches: [],
        unclear: ['the measured key is not limited as documented either, so what a raise does cannot be told'],
      }
    : { applied: calls.length, breaches };
});

/** Laws about what hooks do with keys inside the product. */
export const keyLife: readonly Law[] = [created, shownOnce, regenerated, revoked, raised];
