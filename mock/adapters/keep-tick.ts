const kept: (object | undefined)[] = [];

/**
 * Keeps one of the objects alive that `process.nextTick` makes. V8 forgets their shape when a garbage collection finds none,
 * and code that it has compiled by then makes each of them slowly from then on: a tenth of every request, in most runs.
 */
export function keepTick(): void {
  process.nextTick(() => {
    kept[0] = process.getBuiltinModule('node:async_hooks').executionAsyncResource();
  });
}
