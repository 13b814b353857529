import type { RuleId } from '../../../spec/rules.ts';
import { type Exchange, refused, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { type Breach, type Law, lawOf, lawOfReplies } from '../judging/law.ts';
import { answered, isLawful, isOperationsOwn, lineOf, statusWords } from '../judging/served.ts';
import { refusalCaseOf } from './refusals.ts';

const onSites: readonly (string | null)[] = ['startSiteFileUpload', 'applySiteLabel', 'removeSiteLabel'];

/** Refusals because of the body, which say nothing about an id. */
const bodyStatuses: readonly (number | null)[] = [411, 413, 415];

/** The operation with the site, whatever the label. */
const siteRequest = ({ operation, params }: Exchange) => `${operation} ${params.id}`;

/** A law about ids of sites: no lawful request that names such a site is refused. */
const lawOfSites = (rule: RuleId, which: 'current' | 'legacy', words: string): Law =>
  lawOf(rule, `${words} is found by its id, whatever is asked of it`, (history) => {
    const { tenant, stranger } = deploymentIn(history);
    const servedSites = new Set(history.exchanges.filter(succeeded).map(siteRequest));
    const breaches: Breach[] = [];
    const unclear: string[] = [];
    let applied = 0;
    for (const exchange of history.exchanges) {
      const { operation, params, key } = exchange;
      const owner = [tenant, stranger].find((one) => one?.name === key?.split('/')[0]);
      if (!onSites.includes(operation) || owner?.sites?.[which] !== params.id) continue;
      if (!answered(exchange) || bodyStatuses.includes(exchange.status) || !isLawful(exchange, history)) continue;
      // The reason for a refusal may be the label, or that the site carries it, or does not; or how the request is written.
      const { label } = askedBy(exchange, history);
      if (label === 'listed-or-unknown') continue;
      const hasOtherReason = label !== null || (exchange.twist !== null && exchange.status !== 404);
      if (hasOtherReason && refused(exchange) && servedSites.has(siteRequest(exchange))) continue;
      if (!succeeded(exchange) && !isOperationsOwn(exchange, history)) {
        unclear.push(`${operation} never succeeded: give operations.${operation} in the target file`);
        continue;
      }
      applied++;
      if (refused(exchange))
        breaches.push({
          exchange,
          expected: `${words} to be found: ${lineOf(exchange)}`,
          observed: statusWords(exchange),
        });
    }
    return { applied, breaches, unclear };
  });

/** Whether the reply is an upload target. Another resource may answer at a path with an empty id. */
const isTarget = ({ body }: Exchange) => /"(fileKey|uploadUrl)"/.test(body ?? '');

/** Laws about ids. */
export const ids: readonly Law[] = [
  lawOfSites('ids/site-id', 'current', 'a site'),
  lawOfSites('ids/legacy-site-id-works', 'legacy', 'a legacy site'),
  lawOfReplies({
    rule: 'ids/site-id',
    id: 'ids/site-id/empty',
    title: 'an empty site id names no site',
    applies: (exchange) => exchange.twist?.startsWith('path/empty-id') === true && answered(exchange),
    judge: (exchange) =>
      succeeded(exchange) && isTarget(exchange)
        ? { expected: `no success for ${lineOf(exchange)}`, observed: statusWords(exchange) }
        : null,
  }),
  lawOfReplies({
    rule: 'ids/malformed-is-refused',
    title: 'an id of another form is refused',
    applies: (exchange, history) =>
      exchange.status !== 429 && /^malformed-.*-id$/.test(refusalCaseOf(exchange, history) ?? ''),
    judge: (exchange: Exchange, _: History) =>
      refused(exchange) ? null : { expected: `a refusal of ${lineOf(exchange)}`, observed: statusWords(exchange) },
  }),
];
