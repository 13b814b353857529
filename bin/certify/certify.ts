import pLimit, { type LimitFunction } from 'p-limit';
import { succeeded } from '../../conformance/history/exchange.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { ownCommand } from '../../spec/package-facts.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { surplus, type TenantState } from './client-mock.ts';
import type { Duty } from './duties/duty.ts';
import {
  byRemedy,
  type ClientResult,
  endOf,
  excerpt,
  handled,
  judgeDuty,
  judgeRun,
  notConcerned,
  undecided,
} from './findings.ts';
import { type ClientCase, type ClientReport, clientReportOf, scopesFor } from './report/client-report.ts';
import { type ClientOptions, type ClientRun, runClient } from './run-client.ts';
import { chosenBy, duties, variations } from './selection.ts';
import type { Traffic } from './traffic.ts';
import type { Used, Variation } from './variations/variation.ts';

interface CertifyOptions extends ClientOptions {
  readonly only: string[];
  /** The largest number of runs at the same time. */
  readonly jobs: number;
  readonly strict: boolean;
  /** Options that a command to reproduce a result needs, such as `--env` and `--profile`. */
  readonly repeated: readonly string[];
  /** As words of a command, the reports that are written. */
  readonly reports?: readonly string[];
  readonly onStart: (run: { readonly id: string; readonly title: string }) => void;
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
  const certification = new Certification(options);
  await certification.run().catch((error) => {
    if (!options.signal.aborted) throw error;
  });
  return certification.report(startedAt);
}

/** Judges a client that certify does not run, by its duties alone. @param only ids of duties; empty for all */
export function judgeTraffic(
  traffic: Traffic,
  about: Pick<ClientCase, 'subject' | 'startedAt' | 'strict' | 'ongoing'> & { readonly only?: string[] | undefined },
): ClientReport {
  const { only = [] } = about;
  const chosen = chosenBy(only);
  const results = duties.filter(({ rule }) => chosen('duty', rule)).map((duty) => judgeDuty(duty, [traffic]));
  return clientReportOf({ ...about, only, runs: 0, traffic: [traffic], results, notes: [] });
}

/** What the runs without variations show. */
interface Everyday {
  readonly used: Used;
  /** Null if two runs left different states. */
  readonly reference: TenantState | null;
  /** Whether one of the runs failed. */
  readonly flaky: boolean;
}

/** How often a variation that measures time runs alone: at least, and at most, while there are too few pauses or a busy machine hides them. */
const [minMeasurements, maxMeasurements] = [2, 6];

class Certification {
  readonly #options: CertifyOptions;
  readonly #duties: readonly Duty[];
  readonly #variations: readonly Variation[];
  /** Of the variations that are judged. */
  readonly #rows = new Map<Variation, readonly ClientResult[]>();
  readonly #traffic: Traffic[] = [];
  /** What else the reader should know. */
  readonly #notes: string[] = [];
  readonly #pool: LimitFunction;
  /** How many runs are known to be needed so far. */
  #planned = 0;
  #runs = 0;

  constructor(options: CertifyOptions) {
    this.#options = options;
    this.#pool = pLimit(options.jobs);
    const chosen = chosenBy(options.only);
    this.#duties = duties.filter(({ rule }) => chosen('duty', rule));
    this.#variations = variations.filter(({ id, kind }) => chosen(kind, id));
  }

  /** Runs the command as it is, then with each variation, then alone where a duty measures pauses. */
  async run(): Promise<void> {
    const everyday = await this.#everyday();
    const { used } = everyday;
    const runAll = async (one: Variation) => {
      const parts = Object.keys(one.parts(used));
      const runs = one.ends ? parts.map((part) => [part]) : [parts];
      await Promise.all(runs.filter(({ length }) => length > 0).map((some) => this.#vary(one, some, used)));
    };
    // Some duties can be judged only when something goes wrong.
    const besides = variations.filter(
      (one) => !this.#variations.includes(one) && this.#duties.some(({ under = [] }) => under.includes(one.id)),
    );
    await Promise.all([
      ...this.#variations.map(async (one) => this.#rows.set(one, await this.#rowsOf(one, everyday))),
      ...besides.map(runAll),
    ]);
    // Beside other runs, a busy machine makes pauses longer.
    for (const duty of this.#duties.filter(({ alone }) => alone)) {
      const measured = variations.filter(({ id }) => duty.under?.includes(id));
      for (let runs = 0; runs < maxMeasurements; runs++) {
        const { outcome } = judgeDuty(duty, this.#traffic);
        if (runs >= minMeasurements && outcome !== 'not-run' && outcome !== 'inconclusive') break;
        for (const one of measured) await runAll(one);
      }
    }
  }

  report(startedAt: Date): ClientReport {
    const { command, signal, strict, only, reports } = this.#options;
    const again = lineFor(this.#options, only, strict, reports);
    const judged = this.#duties.map((duty) => {
      const row = judgeDuty(duty, this.#traffic);
      return signal.aborted && row.finding.breaches.length === 0 ? cutShort(row) : row;
    });
    const varied = this.#variations.flatMap((one) => this.#rows.get(one) ?? [cutShort(handled(one, 0))]);
    const cut = signal.aborted ? [`Certify cannot go on; it begins anew with \`${again}\``] : [];
    return clientReportOf({
      subject: command.join(' '),
      startedAt,
      only,
      again,
      runs: this.#runs,
      traffic: this.#traffic,
      results: [...judged, ...byRemedy(varied)].map((row) => ({ ...row, again: againOf(this.#options, row) })),
      notes: [...this.#notes, ...cut],
      strict,
      interrupted: signal.aborted,
    });
  }

  /** Two runs without variations show what the client uses, which state it leaves, and whether it is reliable. */
  async #everyday(): Promise<Everyday> {
    const unvaried = () => this.#run({ id: 'unvaried', title: 'the command as it is' });
    const [one, other] = await Promise.all([unvaried(), unvaried()]);
    const good = [one, other].find(({ succeeded }) => succeeded);
    if (good === undefined) throw new ConfigurationError([failsAsItIs(this.#options, one)]);
    const { values, traffic } = good;
    const { requests } = traffic;
    if (requests.length === 0) throw new ConfigurationError([sendsNothing(this.#options)]);
    const flaky = !(one.succeeded && other.succeeded);
    const steady = surplus(one.state, other.state).length === 0 && surplus(other.state, one.state).length === 0;
    const sometimes =
      'The command sometimes fails without any fault, so failures under faults and freedoms do not count against it';
    if (flaky) this.#notes.push(sometimes);
    else if (!steady)
      this.#notes.push('Two runs without faults left different states, so the states were not compared');
    const { profile } = this.#options;
    const done = requests.filter(succeeded).flatMap(({ operation }) => operation ?? []);
    return {
      used: { requests, operations: [...new Set(done)], scopes: scopesFor(requests).needed, values, profile },
      reference: steady ? good.state : null,
      flaky,
    };
  }

  /** A run with all parts at once; where that fails, a run for each part, and a row for each that fails. */
  async #rowsOf(variation: Variation, { used, reference, flaky }: Everyday): Promise<readonly ClientResult[]> {
    const parts = Object.keys(variation.parts(used));
    if (parts.length === 0) return [notConcerned(variation, used)];
    const attempt = async (some: readonly string[]) =>
      judgeRun(variation, some, await this.#vary(variation, some, used), reference);
    const all = variation.ends || parts.length === 1 ? null : await attempt(parts);
    if (all === undefined) return [handled(variation, parts.length)];
    const rows = await Promise.all(
      parts.map(async (part) => {
        const row = await attempt([part]);
        if (row === undefined || row.outcome === 'observed' || row.outcome === 'inconclusive') return row ?? [];
        if (flaky) return undecided(row, `${row.message}, but it sometimes fails without any fault`);
        // A failure counts only if it happens twice.
        return (await attempt([part])) ? row : undecided(row, `${row.message}, but not when it was tried again`);
      }),
    );
    if (rows.flat().length > 0) return rows.flat();
    // All at once is rare in practice, and may exceed a time limit of the test.
    return [all === null ? handled(variation, parts.length) : { ...all, outcome: 'observed' }];
  }

  #vary(variation: Variation, parts: readonly string[], used: Used): Promise<ClientRun> {
    const { id, when, ends: fails = false } = variation;
    const all = variation.parts(used);
    const name = Object.keys(all).length === parts.length ? id : `${id}/${parts.join(', ')}`;
    const arrangements = parts.flatMap((part) => all[part] ?? []);
    const title = `when ${when(parts.length === 1 ? parts[0] : undefined)}`;
    return this.#run({ id: name, title, arrangements, fails });
  }

  async #run(run: Parameters<typeof runClient>[1]): Promise<ClientRun> {
    const { signal, onStart, onDone } = this.#options;
    this.#planned++;
    return this.#pool(async () => {
      signal.throwIfAborted();
      onStart(run);
      const done = await runClient(this.#options, run);
      signal.throwIfAborted();
      this.#runs++;
      this.#traffic.push(done.traffic);
      onDone(run, this.#runs, this.#planned);
      return done;
    });
  }
}

/** A command line that tries these, or everything. */
const lineFor = (
  { command, repeated }: CertifyOptions,
  only: readonly string[],
  strict: boolean,
  reports: readonly string[] = [],
) => {
  const chosen = [...(only.length > 0 ? ['--only', ...only] : []), ...(strict ? ['--strict'] : [])];
  return commandLine([...ownCommand(), 'certify', ...chosen, ...reports, ...repeated, '--', ...command]);
};

/** A command line that reproduces a row, and fails as long as the client has the defect. */
function againOf(options: CertifyOptions, { kind, id, outcome, cases, finding }: ClientResult) {
  if (kind !== 'duty' && (outcome === 'pass' || outcome === 'not-run')) return null;
  // Perhaps only this variation showed that a duty is broken.
  const [under] = finding.breaches[0]?.exchange.script.split('/') ?? [];
  const shown = variations.flatMap((one) => (one.id === under ? one.id : []));
  const ids = Object.keys(cases);
  return lineFor(options, ids.length > 0 ? ids : [...new Set([id, ...shown])], true);
}

function failsAsItIs({ command, jobs }: CertifyOptions, { ended, traffic }: ClientRun): string {
  if (ended.problem !== null) return ended.problem;
  const how = ended.timedOut ? 'does not end within --timeout' : `fails (${endOf(ended)})`;
  const output = excerpt(ended.output);
  const printed = output === null ? 'It printed nothing.' : `It printed:\n${output.replaceAll(/^/gm, '  ')}`;
  const broken = duties
    .map((duty) => judgeDuty(duty, [traffic]))
    .filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')
    .map(({ id, message, advice }) => `\n  ${id}: ${message}. ${advice}`);
  const why = broken.length === 0 ? '' : `\nWhat it sent breaks these duties:${broken.join('')}`;
  const alone = jobs > 1 ? ' (--jobs 1 if it cannot run twice at the same time)' : '';
  return `${command.join(' ')} ${how} without any fault: make it pass first${alone}. ${printed}${why}`;
}

const sendsNothing = ({ command, names }: CertifyOptions) =>
  `${command.join(' ')} sent nothing to the mock: it must read the address from ${names.URL.join(' or ')} and the key from ${names.KEY.join(' or ')}; --env URL=NAME chooses another variable`;

const cutShort = (row: ClientResult) => undecided(row, 'interrupted');
