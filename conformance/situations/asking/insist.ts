import type { Exchange } from '../../history/exchange.ts';
import type { Ask, Scene } from './situation.ts';

/** Times that a request is sent in all while it is answered 5xx: what fails now and then succeeds in the end. */
const tries = 3;

/** Sends what is answered 5xx again, so that a chance failure can be told from an operation that never succeeds. */
export async function insist({ send }: Pick<Scene, 'send'>, ask: Ask): Promise<Exchange> {
  let exchange = await send(ask);
  for (let i = 1; i < tries && (exchange.status ?? 0) >= 500; i++) exchange = await send(ask);
  return exchange;
}
