import type { RuleId } from '../../../spec/rules.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { type Exchange, isObject, succeeded } from '../../history/exchange.ts';
import type { Evidence } from '../law.ts';
import { isThrottled } from './runs.ts';

const fileOf = ({ requestBody }: Exchange): unknown => {
  const body = jsonOrUndefined(requestBody ?? '');
  return isObject(body) ? body.fileKey : undefined;
};

/** A file can be registered once. So if it is said to be registered already, and only a throttled request can have done it, that one did. */
export function judgeRegistrations(exchanges: readonly Exchange[], evidenceOf: (rule: RuleId) => Evidence): void {
  const evidence = evidenceOf('limiter/429-comes-before-the-handler');
  const registrations = exchanges.filter(({ operation }) => operation === 'registerSiteFile');
  for (const throttled of registrations.filter((one) => isThrottled(one) && fileOf(one) !== undefined)) {
    const own = registrations.filter((one) => one !== throttled && fileOf(one) === fileOf(throttled));
    const next = own.find(({ n, status }) => n > throttled.n && status !== null && status < 500 && status !== 429);
    if (
      next === undefined ||
      own.some(({ n, status, ...one }) => n < next.n && (status === null || succeeded({ status, ...one })))
    )
      continue;
    if (succeeded(next)) evidence.kept++;
    else if (next.status === 409)
      evidence.failures.push({
        exchange: next,
        expected: 'a file whose registration was throttled can be registered',
        observed: `${next.status}, as if it had been registered`,
        with: [throttled],
      });
  }
}
