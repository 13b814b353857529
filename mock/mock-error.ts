/** What was asked of the mock itself (not of the API it plays) cannot be done. Nothing was changed. */
export class MockError extends Error {
  override readonly name = 'MockError';
  /** `missing`: there is no such thing; `conflict`: it is there already, or is in the way; `invalid`: it makes no sense. */
  readonly kind: 'missing' | 'conflict' | 'invalid';

  constructor(kind: MockError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
