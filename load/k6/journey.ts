import type { Options } from 'k6/options';

/** What k6 runs of a scenario. `Before`: what `setup` hands on to the others; k6 carries it as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: k6 hands on what setup gave, and each journey knows its own.
export interface Journey<Before = any> {
  readonly options: Options;
  setup?(): Promise<Before>;
  drive(before: Before): Promise<void>;
  /** Cleans up at the end of a run, after an interruption too. */
  teardown?(before: Before): Promise<void>;
}
