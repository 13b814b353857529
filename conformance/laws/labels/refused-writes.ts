import type { RuleId } from '../../../spec/rules.ts';
import { type Exchange, refused, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { holderKey } from '../../target/holder.ts';
import { outagesAmong } from '../../verdict/outages.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';
import { type OwnWrite, ownWrites } from './registers/own-writes.ts';
import { type MembershipBreach, replyRules, stateRule, writeWords } from './write-rules.ts';

/** Operations that succeeded, and operations with the keys that succeeded: their paths, and the scopes of these keys, are right. */
const succeededIn = once(
  ({ exchanges }: History): ReadonlySet<string> =>
    new Set(exchanges.filter(succeeded).flatMap(({ operation, key }) => [`${operation}`, `${operation} ${key}`])),
);

interface Refusals {
  readonly breaches: readonly MembershipBreach[];
  readonly unclear: readonly { readonly rules: readonly RuleId[]; readonly why: string }[];
}

const asksForContentType = ({ exchange: { status, requestBody, requestHeaders } }: OwnWrite) =>
  status === 415 && requestBody === null && requestHeaders['content-type'] === undefined;

const headersHint = 'where a gateway asks for a content type all the same, headers of the target file can name it';

/** A lawful write without success, which another client cannot cause. */
const failureOf = (write: OwnWrite, rules: readonly RuleId[], observed: string, when = ''): MembershipBreach => ({
  exchange: write.exchange,
  request: write.exchange,
  expected: `success: ${writeWords(write)}${when}`,
  observed: asksForContentType(write) ? `${observed}, though there is no body; ${headersHint}` : observed,
  rules,
  tenant: write.tenant,
  holder: holderKey(write.holder),
  certain: true,
});

/** Lawful writes that were refused, or that never succeeded. */
export const refusals = once((history: History): Refusals => {
  const breaches: MembershipBreach[] = [];
  const unclear: { rules: readonly RuleId[]; why: string }[] = [];
  const groups = new Map<string, OwnWrite[]>();
  for (const write of ownWrites(history)) {
    const { exchange, tenant, holder, carried } = write;
    const { status, operation, twist } = exchange;
    const asked = askedBy(exchange, history);
    // A label that a record carries is public, whichever it is.
    const isPublic = asked.label === 'spare' || (write.act === 'apply' && carried === true);
    if (twist !== null || !isPublic || !asked.lawful || status === null || operation === null) continue;
    const groupKey = `${operation} ${tenant} ${holderKey(holder)} ${carried}`;
    groups.set(groupKey, [...(groups.get(groupKey) ?? []), write]);
    // A 3xx is no success either.
    if (!refused(exchange) && !(status >= 300 && status < 400)) continue;
    const replyRule = replyRules[operation];
    const rules = [stateRule(write), ...(carried !== true && write.act === 'apply' && replyRule ? [replyRule] : [])];
    const deployed = deploymentIn(history).operation(operation);
    const why = `${exchange.method} ${deployed?.path} answered ${status}`;
    if (
      [404, 405].includes(status) &&
      deployed?.provenance.address !== 'documented' &&
      !succeededIn(history).has(operation)
    )
      unclear.push({
        rules,
        why: `${why}: the specification does not show this method and path; give operations.${operation} in the target file`,
      });
    else if (
      status === 403 &&
      deployed?.provenance.scopes !== 'documented' &&
      !succeededIn(history).has(`${operation} ${exchange.key}`)
    )
      unclear.push({
        rules,
        why: `${why}: the scopes of this operation are assumed; give operations.${operation}.scopes in the target file`,
      });
    else breaches.push(failureOf(write, rules, `${status}`));
  }
  const isOutage = outagesAmong(
    history.exchanges.filter(({ operation }) => operation !== null && operation !== 'storage'),
  );
  for (const all of groups.values()) {
    // A 5xx now and then is documented, and all tries of a request may be sent during one restart.
    const group = all.filter(({ exchange }) => !isOutage(exchange));
    const [first] = group;
    if (first === undefined || group.length < minFailures) continue;
    if (group.some(({ exchange }) => (exchange.status ?? 0) < 500)) continue;
    const replyRule = replyRules[first.exchange.operation ?? ''];
    const observed = `${first.exchange.status}, and never a success in ${group.length} tries`;
    breaches.push(failureOf(first, [stateRule(first), ...(replyRule ? [replyRule] : [])], observed));
  }
  return { breaches: [...breaches, ...failuresAtOnce([...groups.values()].flat(), history)], unclear };
});

/** This many failures without a success are no chance; nor are as many failures of concurrent writes, if so many other writes and all else in the run succeeded. */
const [minFailures, minOthers] = [3, 20];

/** Writes that are answered 500 only while the same write of the same label is under way. */
function failuresAtOnce(writes: readonly OwnWrite[], { exchanges }: History): MembershipBreach[] {
  const overlap = (a: Exchange, b: Exchange) => a !== b && a.sentAt < b.doneAt && b.sentAt < a.doneAt;
  const isFailure = ({ exchange }: Pick<OwnWrite, 'exchange'>) => exchange.status === 500;
  const written = new Set(writes.map(({ exchange }) => exchange));
  if (exchanges.some((exchange) => isFailure({ exchange }) && !written.has(exchange))) return [];
  return [...Map.groupBy(writes, ({ exchange }) => exchange.operation).values()].flatMap((group) => {
    if (group.filter(isFailure).length < minFailures) return [];
    const isAtOnce = (write: OwnWrite) =>
      group.some(
        (other) =>
          other.label === write.label &&
          holderKey(other.holder) === holderKey(write.holder) &&
          overlap(other.exchange, write.exchange),
      );
    const atOnce = group.filter(isAtOnce);
    const others = group.filter((write) => !isAtOnce(write));
    const failures = atOnce.filter(isFailure);
    if (failures.length < minFailures || others.length < minOthers || others.some(isFailure)) return [];
    const observed = `500 for ${failures.length} of ${atOnce.length} such requests, and for none of ${others.length} others`;
    return failures.map((write) =>
      failureOf(write, [`labels/${write.act}-is-idempotent`], observed, ', while another request does the same'),
    );
  });
}
