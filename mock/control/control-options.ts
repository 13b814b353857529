/** Options of the control API. */
export interface ControlOptions {
  /** The token that callers must send as a Bearer token. Without it, a mock that other machines can reach generates one. */
  readonly token?: string | undefined;
  /** Returns the report on the client, if there is one. `GET /_mock/client` and the console show it. */
  readonly client?: (() => unknown) | undefined;
  /** Returns the variables that this client needs, shown beside the report. */
  readonly environment?: (() => Readonly<Record<string, string>>) | undefined;
}
