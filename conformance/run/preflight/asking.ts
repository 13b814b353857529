import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { Exchange } from '../../history/exchange.ts';

/** What a check of the preflight asks with. */
export type Asking = Pick<Scene, 'send' | 'newId'>;

/** Repeats the request after one of these statuses, because a fault that happens sometimes says nothing about the target file. */
export async function sendTwice(send: Asking['send'], ask: Ask, statuses: readonly number[]): Promise<Exchange> {
  const first = await send(ask);
  return statuses.includes(first.status ?? 0) ? send(ask) : first;
}

export const pathOf = ({ url }: Exchange): string => URL.parse(url)?.pathname ?? url;
