import type { Verification } from './verification.ts';

/** The code under test did not send the requests that a test expected. The message names the nearest exchanges. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly verification: Verification;

  constructor(verification: Verification) {
    super(verification.explanation);
    this.verification = verification;
  }
}
