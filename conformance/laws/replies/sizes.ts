import { type Exchange, refused, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { type Law, lawOf, lawOfReplies, once } from '../judging/law.ts';
import { answered, statusWords } from '../judging/served.ts';
import { lawOfRefusals } from './refusals.ts';

const isOf = (exchange: Exchange, what: 'small' | 'below' | 'above') =>
  exchange.twist?.startsWith(`size/${what}-`) === true;

/** Keys and sites for which small bodies pass, so that a larger body differs only in its size. */
const passingSmall = once(
  ({ exchanges }: History) =>
    new Set(exchanges.filter((one) => isOf(one, 'small') && succeeded(one)).map((one) => placeOf(one))),
);

const placeOf = ({ key, params, twist }: Exchange) => `${key} ${params.id} ${twist?.split('-').at(-1)}`;

const megabytes = ({ requestBytes }: Exchange) => `${Math.round(requestBytes / 1e5) / 10} MB`;

const howOf = ({ twist }: Exchange) => (twist?.endsWith('chunked') ? 'in chunks' : 'with its length announced');

const above = lawOf('limits/above-10mb-is-refused', 'a body of 11 MB is refused', (history) => {
  const sent = history.exchanges.filter((one) => isOf(one, 'above') && passingSmall(history).has(placeOf(one)));
  const groups = [...Map.groupBy(sent, placeOf).values()];
  const judged = groups.filter((group) => group.some(({ status }) => status !== null && status !== 429));
  const breaches = judged.flatMap((group) => {
    // A 5xx now and then says nothing about the size. If every reply is a 5xx, it does.
    const wrong =
      group.find(succeeded) ?? (group.some(refused) ? undefined : group.findLast((one) => (one.status ?? 0) >= 500));
    if (wrong === undefined) return [];
    return [
      {
        exchange: wrong,
        expected: `a body of ${megabytes(wrong)}, ${howOf(wrong)}, to be refused`,
        observed: statusWords(wrong),
      },
    ];
  });
  const unclear = groups.filter((group) => !judged.includes(group)).map(() => 'a body of 11 MB had no reply');
  return { applied: judged.length, breaches, unclear };
});

/** Laws about the size of requests. */
export const sizes: readonly Law[] = [
  lawOfReplies({
    rule: 'limits/below-10mb-passes',
    title: 'a body of 9.9 MB is not refused for its size',
    applies: (exchange, history) =>
      isOf(exchange, 'below') &&
      answered(exchange) &&
      // 408 and 411 are about the speed and the missing length of the body.
      exchange.status !== 408 &&
      exchange.status !== 411 &&
      passingSmall(history).has(placeOf(exchange)),
    judge: (exchange) =>
      succeeded(exchange)
        ? null
        : {
            expected: `a body of ${megabytes(exchange)}, ${howOf(exchange)}, to pass`,
            observed: statusWords(exchange),
          },
  }),
  above,
  lawOfRefusals('limits/too-large-is-413', 'a body of 11 MB is answered 413', { 'too-large': [413] }),
];
