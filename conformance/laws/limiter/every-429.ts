import { readRetryAfter } from '../../../spec/limiter/reply/retry-after.ts';
import { throttledBodyFault } from '../../../spec/limiter/reply/throttled-body-fault.ts';
import { type Exchange, withoutMark } from '../../history/exchange.ts';
import { type Law, lawOfReplies, type ReplyLaw } from '../judging/law.ts';
import { isThrottled } from './key-use.ts';

/** A law about every 429 of an operation. Object stores throttle in their own way. */
const of429s = ({
  faultOf,
  expected,
  ...law
}: Pick<ReplyLaw, 'rule' | 'id' | 'title' | 'more'> & {
  readonly expected: string;
  readonly faultOf: (exchange: Exchange) => string | undefined;
}): Law =>
  lawOfReplies({
    ...law,
    applies: (exchange) => isThrottled(exchange) && exchange.operation !== 'storage',
    judge(exchange) {
      const observed = faultOf(exchange);
      return observed === undefined ? null : { expected, observed };
    },
  });

const headerOf = ({ headers }: Exchange) => headers['retry-after'];

/** A year. Times in seconds since 1970 are longer. */
const maxSeconds = 366 * 24 * 3600;

export const every429: readonly Law[] = [
  of429s({
    rule: 'limiter/429-has-retry-after',
    title: 'every 429 says in Retry-After how many seconds to wait',
    expected: 'a 429 with Retry-After, a number of seconds',
    faultOf(exchange) {
      const { fault, seconds = 0 } = readRetryAfter(headerOf(exchange));
      return (
        fault ??
        (seconds > maxSeconds ? `Retry-After: ${seconds}, which is a time and no number of seconds to wait` : undefined)
      );
    },
    more(throttled) {
      const values = [...new Set(throttled.map((one) => headerOf(one)?.trim() ?? 'nothing'))];
      const [only = ''] = values;
      const fixed = values.length === 1 && throttled.length > 1 && /^[2-9]$|^\d{2,}$/.test(only) ? Number(only) : null;
      return {
        ...(throttled.length > 0 && { answers: [`Retry-After: ${values.slice(0, 5).join(', ')}`] }),
        ...(fixed !== null && { profile: [{ limits: { retryAfter: fixed } }] }),
      };
    },
  }),
  of429s({
    // 0 and decimals are numbers of seconds too, so they break no must.
    rule: 'limiter/waiting-retry-after-suffices',
    id: 'limiter/waiting-retry-after-suffices/whole-seconds',
    title: 'every Retry-After is a whole number of seconds, from 1 to 300, which all clients can wait for',
    expected: 'Retry-After, a whole number of seconds, from 1 to 300',
    faultOf: (exchange) => readRetryAfter(headerOf(exchange)).doubt,
  }),
  of429s({
    rule: 'limiter/429-body-is-one-message',
    title: 'the body of every 429 is an object whose only field is message, a string',
    expected: '429 with {"message": a string} and nothing else',
    faultOf: ({ body }) => throttledBodyFault(body && withoutMark(body)),
  }),
];
