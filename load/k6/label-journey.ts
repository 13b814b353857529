import exec from 'k6/execution';
import { restSeconds } from '../../spec/limiter/limit.ts';
import { type LabelRequest, labelWork } from '../plan/label-objects.ts';
import { labelFault, textsIn } from '../plan/label-set.ts';
import { labels, labelVus } from '../scenarios/labels.ts';
import { admittedTarget, check, orAbort, orAbortPreflight, sendFor } from './flow.ts';
import type { Journey } from './journey.ts';
import { keyEnded, keyStarted, undecided } from './metrics.ts';
import { openTarget, resolveTarget } from './open-target.ts';
import { optionsFor } from './options-for.ts';
import { pause } from './pause.ts';
import { duration, keyNames } from './settings.ts';

interface Before {
  /** Per object: every text of its reply while the spare label was off. */
  readonly baselines: readonly (readonly string[])[];
  readonly startAt: number;
}

/** The journey of the scenario `labels`; called in the init context. */
export function labelJourney(): Journey {
  const opened = openTarget();
  const work = labelWork(opened, keyNames());
  const limit = work.key.rateLimit;
  const seconds = duration() ?? labels.seconds;

  const options = optionsFor(labels, labelVus(limit), seconds + 3 * restSeconds(limit));

  function withSecrets() {
    const target = orAbort(() => resolveTarget(opened));
    const { key, label, objects } = labelWork(target, keyNames());
    const call = (request: LabelRequest, rule: string) =>
      sendFor({ ...key, headers: target.headers }, `${target.baseUrl}${request.path}`, request, rule);
    return { label, objects, call };
  }

  /** Takes the label off everything, which shows what each object carries without it. */
  async function setup(): Promise<Before> {
    admittedTarget(labels, opened, limit);
    const { objects, call } = withSecrets();
    const baselines: (readonly string[])[] = [];
    for (const { name, remove } of objects) {
      const answer = await call(remove, 'labels/remove-is-idempotent');
      orAbortPreflight(answer, `${remove.operationId} on the ${name}`);
      baselines.push(orAbort(() => textsIn(answer.body)));
    }
    return { baselines, startAt: Date.now() + restSeconds(limit) * 1000 };
  }

  /** Every second all VUs fire at once at the same object, half of them applying and half removing. */
  async function drive({ baselines, startAt }: Before): Promise<void> {
    const vu = exec.vu.idInTest - 1;
    const { label, objects, call } = withSecrets();
    if (vu === 0)
      keyStarted.add(1, {
        scenario_name: labels.name,
        key: work.key.name,
        per_second: String(limit.perSecond),
        burst: String(limit.burst),
        position: '0',
        seconds: String(seconds),
      });
    for (let round = 0; round < Math.floor(seconds); round += 1) {
      await pause(startAt + round * 1000 - Date.now());
      const position = round % objects.length;
      const object = objects[position];
      if (object === undefined) continue;
      const applying = (vu + round) % 2 === 0;
      const request = applying ? object.apply : object.remove;
      const answer = await call(request, 'labels/membership-is-a-set');
      judge('labels/membership-is-a-set', request, answer, (body) =>
        labelFault(baselines[position] ?? [], textsIn(body), label, undefined),
      );
    }
  }

  /** Alone again: each object is settled on, and left as it was. Runs after an interruption too. */
  async function teardown({ baselines }: Before): Promise<void> {
    const { label, objects, call } = withSecrets();
    await pause(restSeconds(limit) * 1000);
    for (const [position, { apply, remove }] of objects.entries()) {
      const baseline = baselines[position] ?? [];
      const steps = [
        ['labels/remove-removes', remove, false],
        ['labels/apply-adds', apply, true],
        ['labels/remove-is-idempotent', remove, false],
      ] as const;
      for (const [rule, request, carried] of steps) {
        const answer = await call(request, rule);
        judge(rule, request, answer, (body) => labelFault(baseline, textsIn(body), label, carried));
      }
    }
    keyEnded.add(1, { key: work.key.name });
  }

  return { options, setup, drive, teardown };
}

function judge(
  rule: string,
  { operationId }: LabelRequest,
  { status, body }: { readonly status: number; readonly body: string | null },
  fault: (body: string | null) => string | undefined,
): void {
  if (status === 0 || status === 429 || status >= 502) {
    undecided.add(1, { seen: status === 0 ? 'no answer' : `status ${status}` });
    return;
  }
  // Labels are a set: applying a label twice, or removing it twice, must succeed.
  if (status < 200 || status > 299)
    check(
      operationId.startsWith('apply') ? 'labels/apply-is-idempotent' : 'labels/remove-is-idempotent',
      operationId,
      `answered ${status}`,
    );
  else {
    check(
      operationId.startsWith('apply') ? 'labels/apply-is-idempotent' : 'labels/remove-is-idempotent',
      operationId,
      undefined,
    );
    check(
      rule,
      operationId,
      attempt(() => fault(body)),
    );
  }
}

function attempt(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return 'the reply is not JSON';
  }
}
