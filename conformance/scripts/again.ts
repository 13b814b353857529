/** At the end: what was answered wrongly is asked again, at random times, beside a request that was served before, and every record is seen once more. */
import { reasonsOf } from '../contract/case.ts';
import type { Request } from '../contract/request.ts';
import type { Bench, RunState } from '../experiments/bench.ts';
import { tryAgain } from '../experiments/trial.ts';
import { type Exchange, succeeded, type Trial } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { deploymentOf, keyNamed } from '../target/deployment.ts';
import { holderKey, labelWriteOf } from '../target/holder.ts';
import { emptyEvidence } from '../verdict/evidence.ts';
import { judgeReplies } from '../verdict/replies.ts';
import { type Traffic, trafficIn } from '../verdict/traffic.ts';
import type { Script } from './script.ts';

/** Doubts of one rule that are tried. */
const ofRule = 2;

/** A key that the run has made is revoked by now. */
const isKept = ({ deployment }: Traffic, { key }: Exchange) => key === null || keyNamed(deployment, key) !== undefined;

/** What a run doubts, the commonest of each rule. Each with those of its requests that can be sent again as they were. */
function doubtsIn(traffic: Traffic, since: number) {
  const { byRule, evidenceOf } = emptyEvidence();
  const { doubts } = judgeReplies(traffic, evidenceOf);
  // What was asked in one state of a record, or with a key that is revoked by now, is tried again by its own script.
  const isRepeatable = (one: Exchange) => one.step?.part !== 'write' && one.n > since && isKept(traffic, one);
  const repeatable = doubts
    .filter(({ rule }) => (byRule.get(rule)?.failures.length ?? 0) === 0)
    .map(({ rule, exchanges }) => ({ rule, exchanges: exchanges.filter(isRepeatable) }));
  return [...Map.groupBy(repeatable, ({ rule }) => rule).values()].flatMap((all) =>
    all.toSorted((a, b) => b.exchanges.length - a.exchanges.length).slice(0, ofRule),
  );
}

/** @param since number of the last exchange that was looked at before */
export function* askedAgain(history: History, since = 0): Generator<Script> {
  const deployment = deploymentOf(history.known.target);
  const traffic = trafficIn(history, deployment);
  const lawful = [...traffic.cases].flatMap(([exchange, asked]) =>
    asked.isRead &&
    !asked.isElsewhere &&
    succeeded(exchange) &&
    reasonsOf(asked).length === 0 &&
    isKept(traffic, exchange)
      ? [exchange]
      : [],
  );
  const controlFor = ({ operation, key }: Exchange): Exchange | undefined =>
    lawful.findLast((one) => one.operation !== operation && one.key === key) ??
    lawful.findLast((one) => one.operation !== operation) ??
    lawful.at(-1);
  for (const [n, { rule, exchanges }] of doubtsIn(traffic, since).entries()) {
    const exchange = exchanges.at(-1);
    const control = exchange && controlFor(exchange);
    if (exchange === undefined || control === undefined) continue;
    const write = labelWriteOf(exchange.operation, exchange.params);
    yield {
      id: `again/${since > 0 ? 'last/' : ''}${n + 1}/${rule}`,
      title: `${exchange.method} ${exchange.operation ?? exchange.url} is asked again, beside ${control.operation}`,
      tries: [rule],
      ...(write && { locks: [holderKey(write.holder)], writes: 'labels' as const }),
      async run(b) {
        const { requests } = b.state;
        // Of a request that the client itself has sent again, only the last try is known.
        const shown = exchanges.findLast((one) => requests.has(one));
        const [request, other] = [shown && requests.get(shown), requests.get(control)];
        if (shown === undefined || request === undefined || other === undefined) return;
        const ask = (one: Request) => (alone: Bench, trial?: Trial) => alone.send(one, { trial });
        await tryAgain(b, shown, { rule, go: ask(request), control: ask(other) });
      },
    };
  }
}

/** At the end of a run every record is seen once more, and spare labels that it still carries are taken off: nobody but a run puts them on. */
export async function lastLook(state: RunState): Promise<Script[]> {
  const all = await Promise.all(state.records.values());
  const records = all.filter((record) => record !== null).filter(({ isSeen }) => isSeen);
  if (records.length === 0) return [];
  return [
    {
      id: 'labels/last-look',
      title: 'every record is seen once more, and spare labels that it still carries are taken off',
      tries: [],
      locks: records.map(({ known }) => holderKey(known.holder)),
      writes: 'labels',
      async run(b) {
        // A look that is a write may itself be what changes another record, so those that only read come last.
        const readable = records.filter(({ isRead }) => isRead);
        const emptied = (some: typeof records) => Promise.all(some.map((record) => record.establish(b, new Set())));
        await emptied(records.filter((one) => !readable.includes(one)));
        await emptied(readable);
        await Promise.all(readable.map((record) => record.look(b, { rule: null })));
      },
    },
  ];
}
