/** At the end: what was refused or answered wrongly is asked again, at random times, beside a request that was served before. */
import type { RuleId } from '../../spec/rules.ts';
import { reasonsOf } from '../contract/reasons.ts';
import type { Request } from '../contract/request.ts';
import type { Bench } from '../experiments/bench.ts';
import { tryAgain } from '../experiments/way.ts';
import { type Exchange, refused, succeeded, type Trial } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { deploymentOf } from '../target/deployment.ts';
import { holderKey, labelWriteOf } from '../target/holder.ts';
import { keyNamed } from '../target/keys.ts';
import { emptyEvidence } from '../verdict/evidence.ts';
import { type Doubt, judgeReplies } from '../verdict/replies.ts';
import { type Traffic, trafficIn } from '../verdict/traffic.ts';
import type { Script } from './script.ts';

/** Doubts of one rule that are tried. */
const ofRule = 2;

/** The doubts of a run, the commonest of each rule. */
function doubtsIn(traffic: Traffic): readonly Doubt[] {
  const { byRule, evidenceOf } = emptyEvidence();
  const { doubts } = judgeReplies(traffic, evidenceOf);
  return [...Map.groupBy(doubts, ({ rule }) => rule)].flatMap(([rule, all]) =>
    (byRule.get(rule)?.failures.length ?? 0) > 0
      ? []
      : all.toSorted((a, b) => b.exchanges.length - a.exchanges.length).slice(0, ofRule),
  );
}

/** The rules that demand the refusal of each read, one refused read of each kind: it must be refused at the end as well. */
function refusedReads({ cases }: Traffic): ReadonlyMap<Exchange, readonly RuleId[]> {
  const kinds = new Map<string, readonly [Exchange, readonly RuleId[]]>();
  for (const [exchange, asked] of cases) {
    if (!asked.isRead || asked.mutation !== null || !refused(exchange)) continue;
    const rules = reasonsOf(asked).flatMap((reason) => reason.rule(asked) ?? []);
    if (rules.length > 0) kinds.set(`${asked.operation} ${rules}`, [exchange, rules]);
  }
  return new Map(kinds.values());
}

export function* askedAgain(history: History): Generator<Script> {
  const deployment = deploymentOf(history.known.target);
  const traffic = trafficIn(history, deployment);
  const reads = refusedReads(traffic);
  if (reads.size > 0)
    yield {
      id: 'again/refusals',
      title: 'reads that were refused are asked again at the end',
      tries: [...new Set([...reads.values()].flat())],
      async run(b) {
        const requests = b.shuffled([...reads.keys()]).flatMap((one) => b.state.requests.get(one) ?? []);
        await Promise.all(requests.map((request) => b.send(request)));
      },
    };
  const lawful = [...traffic.cases].flatMap(([exchange, asked]) =>
    asked.isRead && !asked.isElsewhere && succeeded(exchange) && reasonsOf(asked).length === 0 ? [exchange] : [],
  );
  const controlFor = ({ operation, key }: Exchange): Exchange | undefined =>
    lawful.findLast((one) => one.operation !== operation && one.key === key) ??
    lawful.findLast((one) => one.operation !== operation) ??
    lawful.at(-1);
  for (const [n, { rule, exchanges }] of doubtsIn(traffic).entries()) {
    // What can be carried out once only, or in one state of a record, or with a key that is revoked by now, is tried again by its own script.
    const exchange = exchanges.findLast(
      ({ key, facts, step }) =>
        !facts?.once && step?.part !== 'write' && (key === null || keyNamed(deployment, key) !== undefined),
    );
    const control = exchange && controlFor(exchange);
    if (exchange === undefined || control === undefined) continue;
    const write = labelWriteOf(exchange.operation, exchange.params);
    yield {
      id: `again/${n + 1}/${rule}`,
      title: `${exchange.method} ${exchange.operation ?? exchange.url} is asked again, beside ${control.operation}`,
      tries: [rule],
      ...(write && { locks: [holderKey(write.holder)], writes: 'labels' as const }),
      async run(b) {
        const requestOf = (one: Exchange): Request | undefined => b.state.requests.get(one);
        const [request, other] = [requestOf(exchange), requestOf(control)];
        if (request === undefined || other === undefined) return;
        const ask = (one: Request) => (alone: Bench, trial?: Trial) => alone.send(one, { trial });
        await tryAgain(b, exchange, { rule, go: ask(request), control: ask(other) });
      },
    };
  }
}
