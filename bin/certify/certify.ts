import { succeeded } from '../../conformance/history/exchange.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { ownCommand } from '../../spec/own-command.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { duties } from './duties/index.ts';
import {
  byRemedy,
  type ClientResult,
  handled,
  judgeDuty,
  lastLines,
  notConcerned,
  undecided,
  unhandled,
} from './findings.ts';
import { type Reference, type Wrong, wrongWith } from './judge-run.ts';
import { createPool } from './pool.ts';
import { clientReportOf } from './report/client-report-of.ts';
import type { ClientReport } from './report/client-report-schema.ts';
import { type ClientOptions, type ClientRun, runClient } from './run-client.ts';
import { scopesFor } from './scopes.ts';
import { type Chosen, chosenBy } from './selection.ts';
import { surplus, type TenantState } from './tenant-state.ts';
import type { Traffic } from './traffic.ts';
import { variations } from './variations/index.ts';
import type { Used, Variation } from './variations/variation.ts';

interface CertifyOptions extends ClientOptions {
  readonly only: readonly string[];
  /** The largest number of runs at the same time. */
  readonly jobs: number;
  readonly strict: boolean;
  /** Options that a command to reproduce a result needs, such as `--env` and `--profile`. */
  readonly repeated: readonly string[];
  readonly onStart: (run: { readonly id: string }) => void;
  /** @param all the number of runs planned so far */
  readonly onDone: (run: { readonly id: string }, done: number, all: number) => void;
}

/**
 * Runs the command of a client against mocks that record its requests, inject faults and vary what the contract leaves open.
 * Then judges the client, if it is interrupted by what was seen until then.
 * @throws ConfigurationError if the command fails without any fault or variation, or sends nothing
 */
export async function certify(options: CertifyOptions): Promise<ClientReport> {
  const startedAt = new Date();
  const chosen = chosenBy(options.only);
  const certification = new Certification(options);
  const selected = variations.filter(({ id, kind }) => chosen.variation(id, kind));
  const notes: string[] = [];
  await certification.judge(selected, chosen, notes).catch((error) => {
    if (!options.signal.aborted) throw error;
  });
  const { traffic, rows } = certification;
  const interrupted = options.signal.aborted;
  const results = selected.flatMap((one) => rows.get(one) ?? [cutShort(handled(one, 0))]);
  const judged = duties
    .filter(({ rule }) => chosen.duty(rule))
    .map((duty) => {
      const judged = judgeDuty(duty, traffic);
      const result = interrupted && judged.finding.breaches.length === 0 ? cutShort(judged) : judged;
      // Perhaps only this variation showed it, so the command to reproduce it needs the variation.
      const [variation = ''] = result.finding.breaches[0]?.exchange.script.split('/') ?? [];
      const needed = variations.some(({ id }) => id === variation) ? [variation] : [];
      return { ...result, again: againCommand(options, duty.rule, ...needed) };
    });
  return clientReportOf({
    subject: options.command.join(' '),
    startedAt,
    finishedAt: new Date(),
    runs: certification.runs,
    traffic,
    results: [...judged, ...byRemedy(results).map((row) => ({ ...row, again: againOf(options, row) }))],
    notes,
    strict: options.strict,
    interrupted,
  });
}

/** What the runs without variations show. */
interface Everyday {
  readonly used: Used;
  /** Null if two runs left different states. */
  readonly reference: Reference | null;
  /** Whether one of the runs failed. */
  readonly flaky: boolean;
}

/** How often a variation that measures time runs alone: at least, and at most, while there are too few pauses or a busy machine hides them. */
const [minMeasurements, maxMeasurements] = [2, 6];

class Certification {
  readonly traffic: Traffic[] = [];
  /** Of the variations that are judged. */
  readonly rows = new Map<Variation, readonly ClientResult[]>();
  readonly #options: CertifyOptions;
  #pool: ReturnType<typeof createPool>;
  /** The number of runs that are known to be needed so far. */
  #planned = 2;
  #begun = 0;
  runs = 0;

  constructor(options: CertifyOptions) {
    this.#options = options;
    this.#pool = createPool(options.jobs);
  }

  /** Two runs without variations show what the client uses, which state it leaves, and whether it is reliable. */
  async #everyday(notes: string[]): Promise<Everyday> {
    const asItIs = () => this.#run({ id: 'as it is', varied: false });
    let runs = await Promise.all([asItIs(), asItIs()]);
    if (this.#options.jobs > 1 && runs.every(({ succeeded }) => !succeeded)) {
      const alone = await asItIs();
      if (alone.succeeded) {
        notes.push('The command cannot run twice at the same time, so it ran once at a time (--jobs 1)');
        this.#pool = createPool(1);
        this.traffic.splice(0, 2);
        runs = [alone, await asItIs()];
      }
    }
    const good = runs.find(({ succeeded }) => succeeded);
    const [failed] = runs.filter(({ succeeded }) => !succeeded);
    if (good === undefined) throw new ConfigurationError([failsAsItIs(this.#options, failed as ClientRun)]);
    const { requests } = good.traffic;
    if (requests.length === 0) throw new ConfigurationError([sendsNothing(this.#options)]);
    if (failed !== undefined) {
      notes.push(
        'The command sometimes fails without any fault, so failures under faults and freedoms do not count against it',
      );
    }
    const [one, other] = runs.map(({ state }) => state) as [TenantState, TenantState];
    const steady = surplus(one, other).length === 0 && surplus(other, one).length === 0;
    if (!steady && failed === undefined) {
      notes.push('Two runs without faults left different states, so the states were not compared');
    }
    const operations = requests.flatMap((request) =>
      request.operation !== null && succeeded(request) ? [request.operation] : [],
    );
    const { values } = good;
    return {
      used: {
        requests,
        operations: [...new Set(operations)],
        scopes: scopesFor(requests).needed,
        values,
        profile: this.#options.profile,
      },
      reference: steady ? { end: good.state, passed: good.passed } : null,
      flaky: failed !== undefined,
    };
  }

  /** Judges these variations. @param notes gets what else the reader should know */
  async judge(selected: readonly Variation[], chosen: Chosen, notes: string[]): Promise<void> {
    const everyday = await this.#everyday(notes);
    const judgesDuties = duties.some(({ rule }) => chosen.duty(rule));
    // Some duties can be judged only when something goes wrong.
    const besides = judgesDuties ? variations.filter((one) => one.showsDuties && !selected.includes(one)) : [];
    this.#planned += selected.length + besides.length;
    await Promise.all([
      ...selected.map(async (one) => this.rows.set(one, await this.#rowsOf(one, everyday, chosen))),
      ...besides.map((variation) => this.#runForDuties(variation, everyday)),
    ]);
    await this.#measure(everyday, chosen);
  }

  /** Pauses are measured in runs of their own, until they can be judged: beside other runs, a busy machine makes them longer. */
  async #measure(everyday: Everyday, chosen: Chosen): Promise<void> {
    for (const variation of variations) {
      const duty = duties.find(({ rule }) => rule === variation.measures && chosen.duty(rule));
      if (duty === undefined || variation.parts(everyday.used).length === 0) continue;
      for (let runs = 0; runs < maxMeasurements; runs++) {
        const { outcome } = judgeDuty(duty, this.traffic);
        if (runs >= minMeasurements && outcome !== 'not-run' && outcome !== 'inconclusive') break;
        await this.#runForDuties(variation, everyday);
      }
    }
  }

  /** A run whose traffic is judged by duties. The result of the run itself does not matter. */
  async #runForDuties(variation: Variation, { used }: Everyday): Promise<void> {
    const parts = variation.parts(used);
    if (parts.length > 0) await this.#runVaried(variation, parts, used);
  }

  async #rowsOf(variation: Variation, everyday: Everyday, chosen: Chosen): Promise<ClientResult[]> {
    const { used } = everyday;
    const parts = variation.parts(used).filter((part) => chosen.part(variation.id, variation.kind, part));
    if (parts.length === 0) return [notConcerned(variation, used)];
    if (variation.ends || parts.length === 1) return this.#eachPart(variation, parts, everyday);
    const all = await this.#try(variation, parts, everyday);
    if (all.wrong === undefined) return [handled(variation, parts.length)];
    const rows = await this.#eachPart(variation, parts, everyday);
    if (rows.some(({ outcome }) => outcome !== 'pass')) return rows;
    // No part fails alone. All at once is rare in practice, and may exceed a time limit of the test.
    return [{ ...unhandled(variation, null, all.run, all.wrong), outcome: 'observed' }];
  }

  /** A run for each part, and a row for each part that failed. */
  async #eachPart(variation: Variation, parts: readonly string[], everyday: Everyday): Promise<ClientResult[]> {
    const rows = await Promise.all(
      parts.map(async (part): Promise<ClientResult[]> => {
        const { run, wrong } = await this.#try(variation, [part], everyday);
        if (wrong === undefined) return [];
        const row = unhandled(variation, part, run, wrong);
        if (wrong.excused) return [row];
        if (wrong.undecided !== undefined) return [undecided(row, wrong.undecided)];
        if (everyday.flaky) return [undecided(row, `${row.message}, but it sometimes fails without any fault`)];
        // A failure counts only if it happens twice.
        const again = await this.#try(variation, [part], everyday);
        return again.wrong === undefined ? [undecided(row, `${row.message}, but not when it was tried again`)] : [row];
      }),
    );
    return rows.flat().length > 0 ? rows.flat() : [handled(variation, parts.length)];
  }

  async #try(
    variation: Variation,
    parts: readonly string[],
    { used, reference }: Everyday,
  ): Promise<{ readonly run: ClientRun; readonly wrong: Wrong | undefined }> {
    const run = await this.#runVaried(variation, parts, used);
    return { run, wrong: wrongWith(run, variation, parts[0] ?? '', reference) };
  }

  #runVaried(variation: Variation, parts: readonly string[], used: Used): Promise<ClientRun> {
    const { id, ends: fails = false } = variation;
    const all = variation.parts(used).length === parts.length;
    const arrangement = variation.arrange(parts, used);
    return this.#run({ id: all ? id : `${id}/${parts.join(', ')}`, arrangement, varied: true, fails });
  }

  async #run(run: Parameters<typeof runClient>[1]): Promise<ClientRun> {
    const { signal, onStart, onDone } = this.#options;
    this.#planned = Math.max(this.#planned, ++this.#begun);
    return this.#pool(async () => {
      signal.throwIfAborted();
      onStart(run);
      const done = await runClient(this.#options, run);
      signal.throwIfAborted();
      this.runs++;
      this.traffic.push(done.traffic);
      onDone(run, this.runs, this.#planned);
      return done;
    });
  }
}

/** Reproduces a row of variations: one case, or all variations that one remedy mends. */
function againOf(options: CertifyOptions, { id, outcome, cases }: ClientResult): string | null {
  if (outcome === 'pass' || outcome === 'not-run') return null;
  return againCommand(options, ...(Object.values(cases).flat().length > 1 ? Object.keys(cases) : [id]));
}

/** A command line that reproduces a result, and fails as long as the client has the defect. */
function againCommand({ command, repeated }: CertifyOptions, ...ids: readonly string[]): string {
  return commandLine([...ownCommand(), 'certify', '--only', ...ids, '--strict', ...repeated, '--', ...command]);
}

function failsAsItIs({ command }: CertifyOptions, { ended, traffic }: ClientRun): string {
  if (ended.problem !== null) return ended.problem;
  const how = ended.timedOut
    ? 'does not end within --timeout'
    : `fails (${ended.code === null ? `ended by ${ended.signal}` : `exit code ${ended.code}`})`;
  const output = lastLines(ended.output);
  const printed = output === null ? 'It printed nothing.' : `It printed:\n${output.replaceAll(/^/gm, '  ')}`;
  const broken = duties
    .map((duty) => judgeDuty(duty, [traffic]))
    .filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')
    .map(({ id, message, advice }) => `\n  ${id}: ${message}. ${advice}`);
  const why = broken.length === 0 ? '' : `\nWhat it sent breaks these duties:${broken.join('')}`;
  return `${command.join(' ')} ${how} without any fault: make it pass first. ${printed}${why}`;
}

const sendsNothing = ({ command, names }: CertifyOptions) =>
  `${command.join(' ')} sent nothing to the mock: it must read the address from ${names.URL.join(' or ')} and the key from ${names.KEY.join(' or ')}; --env URL=NAME chooses another variable`;

const cutShort = (row: ClientResult) => undecided(row, 'certify was interrupted before it could tell');
