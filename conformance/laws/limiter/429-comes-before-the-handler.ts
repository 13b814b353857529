import type { History } from '../../history/history.ts';
import { usedUpBy } from '../../verdict/uploads.ts';
import { askedBy } from '../judging/asked.ts';
import { lawOf } from '../judging/law.ts';
import { labelEffects } from '../labels/label-effects.ts';
import type { OwnWrite } from '../labels/registers/own-writes.ts';
import { registerBreaches } from '../labels/registers/register-breaches.ts';
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
    const beside = besideEffects(history);
    const { breaches, unclear } = labelEffects(
      history,
      ({ status }, { after, label, shows }) =>
        status === 429 && !after.some((write) => write.label !== label && beside.has(effectOf(write, shows))),
    );
    return { applied: writes.length, breaches: [...breaches, ...usedUpBy(429, history)], unclear };
  },
);

const effectOf = ({ exchange }: OwnWrite, shows: boolean) => `${exchange.operation} ${shows}`;

/** What lawful writes did to other labels where nothing else can have done it: they may have done it after a 429 as well. */
const besideEffects = (history: History): ReadonlySet<string> =>
  new Set(
    registerBreaches(history).flatMap(({ culprit, after, label, shows }) =>
      culprit === null ? after.flatMap((write) => (write.label === label ? [] : [effectOf(write, shows)])) : [],
    ),
  );
