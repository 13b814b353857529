import type { Generate } from '../../scripts/script.ts';
import { keysOf, lacksScope } from '../../target/keys.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import { restOf } from '../limiter/senders.ts';
import { isModest } from '../limiter/volleys.ts';

const operation = 'getConversationContext';

/** A key that lacks a scope spends its burst on refused reads: a check may be skipped for a key that is nearly throttled. */
export const burstWithoutScope: Generate = function* (deployment) {
  const [key] = keysOf(deployment.tenant).filter((one) => lacksScope(one, 'conversation:read') && isModest(one));
  const [lawful] = lawfulAsks(operation, deployment, () => '');
  if (key === undefined || lawful === undefined) return;
  yield {
    id: 'burst-without-scope',
    title: `key ${key.name}, which lacks conversation:read, reads a context as often as its burst allows`,
    feeds: ['scopes/context-needs-conversation-read', 'scopes/missing-scope-is-403'],
    uses: [operation],
    limits: 'parallel',
    async run({ send, sleep }) {
      await sleep(restOf(key));
      const asks = Array.from({ length: key.rateLimit.burst }, () => ({ ...lawful.ask, key, unpaced: true as const }));
      await Promise.all(asks.map((ask) => send(ask)));
    },
  };
};
