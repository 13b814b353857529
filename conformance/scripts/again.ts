/** At the end: what was refused or answered wrongly is asked again, at random times, beside a request that was served before. */

import { caseOf } from '../contract/case.ts';
import { reasonsOf } from '../contract/reasons.ts';
import type { Request } from '../contract/request.ts';
import { replySigns } from '../contract/signs.ts';
import { Bench } from '../experiments/bench.ts';
import { examine } from '../experiments/trial.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { deploymentOf } from '../target/deployment.ts';
import { holderKey, labelWriteOf } from '../target/holder.ts';
import { keyNamed } from '../target/keys.ts';
import { judgeReplies, type Suspicion } from '../verdict/suspicions.ts';
import type { Situation } from './script.ts';

/** Suspicions of one rule that are tried. */
const ofRule = 2;

/** The suspicions of a run, the commonest of each rule. */
function suspicionsIn({ exchanges, known }: History): readonly Suspicion[] {
  const evidence = new Map<string, { kept: number; failures: never[]; unclear: string[] }>();
  const { suspicions } = judgeReplies(exchanges, deploymentOf(known.target), (rule) => {
    const one = evidence.get(rule) ?? { kept: 0, failures: [], unclear: [] };
    evidence.set(rule, one);
    return one;
  });
  return [...Map.groupBy(suspicions, ({ rule }) => rule).entries()].flatMap(([rule, all]) =>
    (evidence.get(rule)?.failures.length ?? 0) > 0
      ? []
      : all.toSorted((a, b) => b.exchanges.length - a.exchanges.length).slice(0, ofRule),
  );
}

export function* askedAgain(history: History): Generator<Situation> {
  const deployment = deploymentOf(history.known.target);
  const lawful = history.exchanges.filter((exchange) => {
    const asked = caseOf(exchange, deployment);
    return asked?.isRead && succeeded(exchange) && reasonsOf(asked).length === 0 && exchange.operation !== null;
  });
  const controlFor = ({ operation, key }: Exchange): Exchange | undefined =>
    lawful.findLast((one) => one.operation !== operation && one.key === key) ??
    lawful.findLast((one) => one.operation !== operation) ??
    lawful.at(-1);
  for (const [n, { rule, sign, exchanges }] of suspicionsIn(history).entries()) {
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
      feeds: [rule],
      uses: [],
      ...(write && { locks: [holderKey(write.holder)], writes: 'labels' as const }),
      async run(scene) {
        const b = new Bench(scene, scene.state);
        const requestOf = (one: Exchange): Request | undefined => scene.state.requests.get(one);
        const [request, other] = [requestOf(exchange), requestOf(control)];
        if (request === undefined || other === undefined) return;
        await examine(b, {
          rule,
          sign,
          script: async (alone, trial) =>
            replySigns(await alone.send(request, { trial }), scene.deployment, rule).includes(sign),
          control: async (alone, trial) => !succeeded(await alone.send(other, { trial })),
        });
      },
    };
  }
}
