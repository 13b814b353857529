import type { Verification } from './verification.ts';

/** What a test said of the requests of the code under test is not so; the message says what came nearest. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly verification: Verification;

  constructor(verification: Verification) {
    super(verification.explanation);
    this.verification = verification;
  }
}
