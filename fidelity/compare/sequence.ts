import { type Exchange, objectIn, succeeded } from '../../conformance/history/exchange.ts';
import { labelOperations, labelWriteOf } from '../../conformance/target/holder.ts';
import { type Difference, differences, type Roles } from '../alike.ts';
import type { OpenSide } from './side.ts';
import { askFor, type Step } from './steps.ts';

/** A step with both replies. */
export interface Asked {
  readonly step: Step;
  readonly a: Exchange;
  readonly b: Exchange;
}

/** Who is told what a sequence shows. */
interface Watcher {
  /** Whether none of these differences was seen before. */
  isNew(step: Step, found: readonly Difference[]): boolean;
  /**
   * @param found null where the replies cannot be compared
   * @returns whether what follows could only be a consequence
   */
  saw(found: readonly Difference[] | null, sequence: readonly Asked[]): boolean;
}

/** One sequence on both sides. */
export class Sequence {
  readonly #sides: readonly [OpenSide, OpenSide];
  readonly #roles: Roles;
  readonly #watcher: Watcher;
  readonly #asked: Asked[] = [];
  readonly #uploads: (Exchange | undefined)[] = [undefined, undefined];
  /** By side: what takes off the labels that were put on. */
  readonly #undo = [new Map<string, Exchange>(), new Map<string, Exchange>()] as const;
  /** The record of the upload that was started last. */
  #startedOn = '';
  #isOver = false;

  constructor(sides: readonly [OpenSide, OpenSide], roles: Roles, watcher: Watcher) {
    this.#sides = sides;
    this.#roles = roles;
    this.#watcher = watcher;
  }

  async send(made: Step): Promise<void> {
    if (this.#isOver) return;
    const step = made.file === 'started' ? { ...made, record: this.#startedOn } : made;
    const both = await this.#ask(step);
    if (both === null) return;
    let [a, b] = both;
    let found = compared(a, b, this.#roles);
    // A read may lag behind a write, and a 5xx now and then is documented.
    const mayPass = a.method === 'GET' || [a, b].some(({ status }) => Number(status) >= 500);
    if (mayPass && this.#watcher.isNew(step, found ?? [])) {
      const [{ bench }, other] = this.#sides;
      await bench.sleep(Math.max(bench.deployment.settleMilliseconds, other.bench.deployment.settleMilliseconds));
      [a, b] = (await this.#ask(step)) ?? both;
      found = compared(a, b, this.#roles);
    }
    if (step.operation === 'startSiteFileUpload' && this.#uploads.every(Boolean)) this.#startedOn = step.record;
    this.#asked.push({ step, a, b });
    this.#isOver = this.#watcher.saw(found, this.#asked);
  }

  /** Takes off the labels that are on. */
  async end(): Promise<void> {
    await Promise.all(
      this.#sides.map(async ({ bench, during }, i) => {
        for (const { params, operation } of this.#undo[i]?.values() ?? []) {
          const write = labelWriteOf(operation, params);
          if (write !== null)
            await during(bench.scene.send({ operation: labelOperations[write.holder.kind].remove, params }));
        }
      }),
    );
  }

  async #ask(step: Step): Promise<[Exchange, Exchange] | null> {
    const sends = this.#sides.map(({ bench, during }, i) => {
      const started = this.#uploads[i];
      if (step.operation === 'storage') {
        const contentType = step.change === 'none' ? bench.deployment.uploadContentType : 'x-partnerkit/other';
        const put = { contentType, bytes: new TextEncoder().encode('hello') };
        return started && (() => during(bench.scene.put(started, put)));
      }
      const { fileKey } = started ? objectIn(started) : {};
      const ask = askFor(bench, step, typeof fileKey === 'string' ? fileKey : undefined);
      return ask === null ? undefined : () => during(bench.scene.send(ask));
    });
    if (!sends.every((send) => send !== undefined)) return null;
    const [a, b] = await Promise.all(sends.map((send) => send()));
    if (!a || !b) return null;
    for (const [i, exchange] of [a, b].entries()) this.#learn(exchange, i);
    return [a, b];
  }

  #learn(exchange: Exchange, i: number): void {
    if (!succeeded(exchange)) return;
    const { operation, params } = exchange;
    if (operation === 'startSiteFileUpload') this.#uploads[i] = exchange;
    const write = labelWriteOf(operation, params);
    if (write === null) return;
    const name = JSON.stringify([write.holder, write.label]);
    if (write.act === 'apply') this.#undo[i]?.set(name, exchange);
    else this.#undo[i]?.delete(name);
  }
}

/** Null where one of them did not answer, or asked to come back later. */
function compared(a: Exchange, b: Exchange, roles: Roles): Difference[] | null {
  if (a.status === null || b.status === null || a.status === 429 || b.status === 429) return null;
  const reply = ({ status, headers, body, doneAt }: Exchange) => ({ status: status ?? 0, headers, body, at: doneAt });
  return differences(reply(a), reply(b), roles);
}
