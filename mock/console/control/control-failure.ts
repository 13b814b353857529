/** An error reply of the control API, with its message. */
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
