/** A refusal of the control API, in its words. */
export class ControlFailure extends Error {
  readonly status: number;
  readonly problems: readonly string[];

  constructor(status: number, message: string, problems: readonly string[] = []) {
    super(message);
    this.name = 'ControlFailure';
    this.status = status;
    this.problems = problems;
  }
}
