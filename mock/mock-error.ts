/** A call of the mock's own methods (not of the mocked API) failed. Nothing was changed. */
export class MockError extends Error {
  override readonly name = 'MockError';
  /** `missing`: it does not exist. `conflict`: it exists already, or something else prevents it. `invalid`: the arguments are wrong. */
  readonly kind: 'missing' | 'conflict' | 'invalid';

  constructor(kind: MockError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** @throws MockError always */
export function missing(message: string): never {
  throw new MockError('missing', message);
}
