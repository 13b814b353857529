import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { Exchange } from '../../history/exchange.ts';

const maxTries = 3;

/** Repeats a request that is answered 5xx, to distinguish an occasional failure from an operation that never succeeds. */
export async function insist({ send }: Pick<Scene, 'send'>, ask: Ask): Promise<Exchange> {
  let exchange = await send(ask);
  for (let i = 1; i < maxTries && (exchange.status ?? 0) >= 500; i++) exchange = await send(ask);
  return exchange;
}
