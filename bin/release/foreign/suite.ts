/** What a suite tries. Each gets a mock of its own, without a rate limit. */
interface Scene {
  /** For its programs and files. It is kept, so that nothing is installed twice. */
  readonly folder: string;
  /** Try more than fits into CI. */
  readonly long: boolean;
  readonly url: string;
  readonly port: number;
  readonly apiKey: string;
}

interface Findings {
  /** How many cases were tried. */
  readonly tried: number;
  /** A line for each case that failed. */
  readonly failed: readonly string[];
}

/** A test suite that nobody here wrote. */
export interface Suite {
  /** It takes too long for CI. */
  readonly onlyLong?: boolean;
  readonly run: (scene: Scene) => Promise<Findings>;
  readonly falseAlarms?: readonly FalseAlarm[];
}

/** A line that a correct mock gets too, or an expression for it, with the reason. */
type FalseAlarm = readonly [line: string | RegExp, reason: string];

/** Tells defects from false alarms, and lists the false alarms that were not seen. */
export function judged(failed: readonly string[], falseAlarms: readonly FalseAlarm[]) {
  const matches = ([known]: FalseAlarm, line: string) =>
    typeof known === 'string' ? line === known : known.test(line);
  return {
    defects: failed.filter((line) => !falseAlarms.some((alarm) => matches(alarm, line))),
    unseen: falseAlarms.filter((alarm) => !failed.some((line) => matches(alarm, line))),
  };
}
