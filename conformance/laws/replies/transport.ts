import { type Exchange, jsonOf } from '../../history/exchange.ts';
import { lawByEvidence } from '../../verdict/laws.ts';
import { type Law, lawOf } from '../judging/law.ts';

const isApi = ({ operation }: Exchange) => operation !== null && operation !== 'storage';

const contentType = lawOf('transport/json-content-type', 'replies in JSON say so', ({ exchanges }) => {
  const judged = exchanges.filter((one) => isApi(one) && jsonOf(one) !== undefined);
  const typeOf = ({ headers }: Exchange) => headers['content-type'] ?? 'none';
  return {
    applied: judged.length,
    breaches: judged
      .filter((one) => !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(typeOf(one)))
      .map((exchange) => ({ exchange, expected: 'application/json', observed: typeOf(exchange) })),
    answers: [...new Set(judged.map(typeOf))].sort(),
  };
});

/** Laws about JSON in requests and replies. */
export const transport: readonly Law[] = [lawByEvidence('transport/json-both-ways'), contentType];
