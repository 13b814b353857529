import { terminalLine } from '../../../spec/text/terminal-text.ts';

/** Nothing can be judged, because baseUrl does not reply or is not the address of this API. */
export class PreflightError extends Error {
  constructor(message: string) {
    // The message may quote a reply, which may hold control characters.
    super(terminalLine(message));
  }
}

/** The target file does not describe the deployment. */
export class UntrueTarget extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => terminalLine(problem));
    super(`the target file does not describe the deployment:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.problems = lines;
  }
}
