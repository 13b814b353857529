import { seededRandom } from '../../random.ts';
import { describeJudgement } from '../describe-judgement.ts';
import { judge } from '../judge.ts';
import { measurement } from '../measurement.ts';
import type { Observation } from '../observation.ts';
import { volleySize } from '../phase.ts';
import { sendTimes } from '../send-times.ts';
import { operations, type Row } from './limiters.ts';
import type { Network } from './simulation/networks.ts';

const limit = { perSecond: 10, burst: 20 };
const { times } = sendTimes(measurement(limit).flatMap(({ phases }) => phases));

/** What is said of a gateway after a whole measurement through a network, in virtual time. */
export function sentenceOf({ make }: Row, network: Network, seed: number): string {
  const random = seededRandom(seed);
  const gateway = make(random);
  const requests = times.map((seconds, index) => {
    const { there, back } = network(random);
    // The first volley is of one operation, as k6 sends it.
    const operation = operations[index < volleySize(limit) ? 0 : index % operations.length] ?? '';
    return { sentAt: seconds * 1000, decidedAt: seconds * 1000 + there, back, operation };
  });
  requests.sort((a, b) => a.decidedAt - b.decidedAt);
  const observations = requests.map(({ sentAt, decidedAt, back, operation }): Observation => {
    const { status, until = decidedAt } = gateway(decidedAt, operation);
    return { sentAt, doneAt: until + back, status, operation };
  });
  return describeJudgement(judge(limit, observations));
}
