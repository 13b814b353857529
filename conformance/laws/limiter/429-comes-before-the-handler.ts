import { askedBy } from '../judging/asked.ts';
import { lawOf } from '../judging/law.ts';
import { labelEffects } from '../labels/label-effects.ts';
import { usedUpBy } from '../uploads/upload-register.ts';
import { isThrottled } from './key-use.ts';

export const beforeHandler = lawOf(
  'limiter/429-comes-before-the-handler',
  'no request that was answered 429 has changed anything',
  (history) => {
    const writes = history.exchanges.filter(
      (exchange) =>
        isThrottled(exchange) &&
        (exchange.operation === 'registerSiteFile' || askedBy(exchange, history).write !== null),
    );
    const { breaches, unclear } = labelEffects(history, ({ status }) => status === 429);
    return { applied: writes.length, breaches: [...breaches, ...usedUpBy(429, history)], unclear };
  },
);
