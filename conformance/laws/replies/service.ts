import type { OperationId } from '../../../spec/operations.ts';
import { validateReply } from '../../../spec/reply-validator.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { jsonOf, objectIn, refused, succeeded } from '../../history/exchange.ts';
import type { ProfilePatch } from '../../profile-patch.ts';
import { askedBy } from '../judging/asked.ts';
import { type Breach, type Law, lawOf, lawOfReplies } from '../judging/law.ts';
import { answered, isLawful, lineOf, statusWords } from '../judging/served.ts';

const named = lawOfReplies({
  rule: 'service/named-endpoints-exist',
  title: 'GET /v1/health and GET /v1/conversation/{id} are served',
  // A 403 does not count, because the scopes of these operations are not documented.
  applies: (exchange, history) =>
    (exchange.operation === 'getHealth' || exchange.operation === 'getConversation') &&
    answered(exchange) &&
    exchange.status !== 403 &&
    isLawful(exchange, history),
  judge: (exchange) =>
    succeeded(exchange) ? null : { expected: `success for ${lineOf(exchange)}`, observed: statusWords(exchange) },
});

/** A law about open questions: reply, status and scopes of these operations. */
const lawOfDetails = (rule: RuleId, ids: readonly OperationId[]): Law =>
  lawOf(rule, `what ${ids.join(', ')} answer, and to whom`, (history) => {
    const breaches: Breach[] = [];
    const answers = new Set<string>();
    const profile: ProfilePatch[] = [];
    let applied = 0;
    const learn = (id: OperationId, words: string, patch: ProfilePatch['operations']) => {
      if (answers.has(`${id}: ${words}`)) return;
      answers.add(`${id}: ${words}`);
      if (patch !== undefined) profile.push({ operations: patch });
    };
    for (const exchange of history.exchanges) {
      const id = ids.find((one) => one === exchange.operation);
      if (id === undefined || !answered(exchange) || exchange.status === null) continue;
      const { lacks, authenticates, record } = askedBy(exchange, history);
      const lawful = isLawful(exchange, history);
      const lacking = authenticates && lacks.length > 0 && exchange.twist === null && record !== 'theirs';
      if (!lawful && !(lacking && (record === null || record === 'ours'))) continue;
      applied++;
      const breach = (expected: string, observed: string) => breaches.push({ exchange, expected, observed });
      if (lacking) {
        const needed = succeeded(exchange) ? [] : lacks;
        learn(id, `without ${lacks.join(' and ')}: ${exchange.status}`, { [id]: { scopes: [...needed] } });
        if (exchange.status !== 403) breach(`403 without ${lacks.join(' and ')}`, `${exchange.status}`);
      } else if (refused(exchange)) {
        learn(id, `answered ${exchange.status}`, exchange.status === 404 ? { [id]: null } : undefined);
        breach(`success for ${lineOf(exchange)}`, statusWords(exchange));
      } else {
        learn(id, `answered ${exchange.status}`, { [id]: { status: exchange.status } });
        if (exchange.status !== 200) breach('200', `${exchange.status}`);
        const [first] = jsonOf(exchange) === undefined ? [] : validateReply(id, 200, jsonOf(exchange));
        if (first !== undefined) breach(`in ${lineOf(exchange)}, ${first.message}`, statusWords(exchange));
        if (id === 'getHealth')
          learn(id, `status ${JSON.stringify(objectIn(exchange).status) ?? 'is not there'}`, undefined);
      }
    }
    return { applied, breaches, answers: [...answers], profile };
  });

/** Laws about the operations that the specification only names. */
export const service: readonly Law[] = [
  named,
  lawOfDetails('service/conversation-record', ['getConversation']),
  lawOfDetails('service/reference-endpoints', ['getHealth', 'getSite', 'getClient']),
];
