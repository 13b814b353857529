import { MockError } from '../mock-error.ts';
import type { Shape } from './shape.ts';

/** @throws MockError `invalid` with every problem and its place */
export function checkArguments(value: unknown, shape: Shape): void {
  const problems = shape(value);
  if (problems.length === 0) return;
  const lines = problems.slice(0, 20).map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new MockError('invalid', lines.join('; '));
}
