import type { RefusalCase } from '../../../spec/files/profile-schema.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { ProfilePatch } from '../../profile-patch.ts';
import { askedBy } from '../judging/asked.ts';
import { answerOf, refusalPatch } from '../judging/error-body.ts';
import { type Breach, type Law, lawOf, once } from '../judging/law.ts';
import { answered, isOperationsOwn, lineOf, statusWords } from '../judging/served.ts';

/** The refusal cases of twists, by prefix. A longer prefix stands before a shorter one. */
const twists: readonly (readonly [string, RefusalCase])[] = [
  ['path/unknown', 'unknown-path'],
  ['method/', 'wrong-method'],
  ['size/above', 'too-large'],
  ['body/not-json', 'not-json'],
  ['body/missing-file-key', 'missing-file-key'],
  ['body/malformed-file-key', 'malformed-file-key'],
  ['body/malformed-', 'malformed-json'],
  ['body/array', 'wrong-json-type'],
  ['body/number', 'wrong-json-type'],
  ['body/missing', 'missing-content-type'],
  ['body/empty', 'empty-content-type'],
  ['body/additional', 'additional-property'],
];

/** The text of all lists of labels, equal ones once. */
const listed = once(({ exchanges }: History) => {
  const lists = exchanges.filter((one) => one.operation === 'listLabels' && succeeded(one));
  return [...new Set(lists.map(({ body }) => body?.toLowerCase()))].join('\n');
});

/** The only problem of a request whose key and scopes are in order; null where there is none, or several. */
export function refusalCaseOf(exchange: Exchange, history: History): RefusalCase | null {
  const { twist, operation, params, credential } = exchange;
  const { authenticates, lacks, record, label } = askedBy(exchange, history);
  if (credential !== 'key' || !authenticates || lacks.length > 0) return null;
  if (twist !== null) {
    const refusal = twists.find(([prefix]) => twist.startsWith(prefix))?.[1] ?? null;
    return record === null || record === 'ours' || operation === null ? refusal : null;
  }
  if (operation === null || operation === 'storage') return null;
  const kind = kindOf(exchange);
  if (record !== null && record !== 'ours') {
    if (label !== null && label !== 'spare') return null;
    if (record === 'malformed')
      return kind === 'conversation' ? 'malformed-conversation-id' : kind === 'site' ? null : 'malformed-client-id';
    return `${record === 'unknown' ? 'unknown' : 'foreign'}-${kind ?? 'conversation'}`;
  }
  if (label === 'malformed') return 'malformed-label-id';
  if (label === 'private') return 'private-label';
  if (label === 'listed-or-unknown') return listed(history).includes(params.labelId ?? '-') ? null : 'unknown-label';
  return null;
}

function kindOf({ operation, params }: Exchange): 'conversation' | 'site' | 'client' | 'link' | null {
  if (params.clientId !== undefined) return 'link';
  if (operation === 'getClient') return 'client';
  if (operation === 'getConversation' || operation?.includes('Conversation')) return 'conversation';
  return params.id === undefined ? null : 'site';
}

/** A law about an open question: the statuses of refusals. */
export function lawOfRefusals(
  rule: RuleId,
  title: string,
  expected: Readonly<Partial<Record<RefusalCase, readonly number[]>>>,
): Law {
  return lawOf(rule, title, (history) => {
    const breaches: Breach[] = [];
    const answers = new Map<RefusalCase, Set<string>>();
    const profile = new Map<RefusalCase, ProfilePatch>();
    let applied = 0;
    for (const exchange of history.exchanges) {
      if (!answered(exchange)) continue;
      const refusal = refusalCaseOf(exchange, history);
      const statuses = refusal === null ? undefined : expected[refusal];
      if (refusal === null || statuses === undefined) continue;
      if (exchange.operation !== null && !isOperationsOwn(exchange, history)) continue;
      applied++;
      answers.set(refusal, (answers.get(refusal) ?? new Set()).add(answerOf(exchange)));
      if ((exchange.status ?? 0) >= 400 && !profile.has(refusal)) profile.set(refusal, refusalPatch(refusal, exchange));
      if (!statuses.includes(exchange.status ?? 0))
        breaches.push({
          exchange,
          expected: `${statuses.join(' or ')} for ${refusal.replaceAll('-', ' ')}: ${lineOf(exchange)}`,
          observed: statusWords(exchange),
        });
    }
    return {
      applied,
      breaches,
      answers: [...answers].map(([refusal, words]) => `${refusal}: ${[...words].sort().join(' or ')}`),
      profile: [...profile.values()],
    };
  });
}
