import exec from 'k6/execution';
import { restSeconds } from '../../spec/limiter/limit.ts';
import { labelFault, textsIn } from '../plan/label-fault.ts';
import type { PlannedRequest } from '../run-file.ts';
import { type FlowPlan, labelVus } from '../scenarios.ts';
import { abort, type Journey, keyEnded, keyStarted, pause, run } from './run.ts';
import { check, isSuccess, isUndecided, orAbortPreflight, sendFlow } from './send.ts';

interface Before {
  /** Per record: every text of its reply while the label was off. */
  readonly baselines: readonly (readonly string[])[];
  readonly startAt: number;
}

/** The journey of the scenario `labels`. */
export function labelJourney(plan: FlowPlan): Journey {
  const [key] = run.keys;
  if (run.labels === undefined || key === undefined) throw new Error('a run of labels without a label');
  const { records, label } = run.labels;
  const restMs = restSeconds(key.limit) * 1000;

  /** Takes the label off everything, which shows what each record has without it. */
  const setup = async (): Promise<Before> => {
    const baselines: (readonly string[])[] = [];
    for (const { name, remove } of records) {
      const answer = await sendFlow(remove);
      orAbortPreflight(answer, `${remove.operationId} on the ${name}`);
      const texts = textsIn(answer.body);
      baselines.push(texts ?? abort('script-failed', `${remove.operationId}: the reply is not JSON`));
    }
    return { baselines, startAt: Date.now() + restMs };
  };

  /** Every second all VUs fire at once at the same record, half of them applying and half removing. */
  const drive = async ({ baselines, startAt }: Before): Promise<void> => {
    const vu = exec.vu.idInTest - 1;
    if (vu === 0) keyStarted(plan.name, key, 0);
    for (let round = 0; round < Math.floor(run.seconds); round += 1) {
      await pause(startAt + round * 1000 - Date.now());
      const position = round % records.length;
      const request = records[position]?.[(vu + round) % 2 === 0 ? 'apply' : 'remove'];
      if (request !== undefined)
        await step('labels/membership-is-a-set', request, baselines[position] ?? [], undefined);
    }
  };

  /** Alone again: each record is settled on, and left as it was. */
  const teardown = async ({ baselines }: Before): Promise<void> => {
    await pause(restMs);
    for (const [position, { apply, remove }] of records.entries()) {
      const baseline = baselines[position] ?? [];
      await step('labels/remove-removes', remove, baseline, false);
      await step('labels/apply-adds', apply, baseline, true);
      await step('labels/remove-is-idempotent', remove, baseline, false);
    }
    keyEnded(key);
  };

  async function step(
    rule: string,
    request: PlannedRequest,
    baseline: readonly string[],
    carried: boolean | undefined,
  ): Promise<void> {
    const answer = await sendFlow(request);
    if (isUndecided(answer)) return;
    const { operationId } = request;
    // Labels are a set: applying a label twice, or removing it twice, must succeed.
    const repeatable = operationId.startsWith('apply') ? 'labels/apply-is-idempotent' : 'labels/remove-is-idempotent';
    const { status, body } = answer;
    check(repeatable, operationId, isSuccess(status) ? undefined : `answered ${status}`);
    if (!isSuccess(status)) return;
    check(rule, operationId, labelFault(baseline, textsIn(body), label, carried));
  }

  return { vus: labelVus(key.limit), setup, drive, teardown };
}
