import { type OperationId, operations } from '../../../spec/operations.ts';
import { fillPath } from '../../../spec/routes.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Ask } from '../../client/ask.ts';
import type { Generate } from '../../scripts/script.ts';
import type { DeployedOperation, Deployment } from '../../target/deployment.ts';
import { labelWriteOf } from '../../target/holder.ts';
import { keysWith } from '../../target/keys.ts';
import { lawfulAsks } from '../asking/lawful.ts';

const feeds: readonly RuleId[] = [
  'versioning/v1-prefix',
  'errors/routing',
  'errors/codes',
  'transport/json-both-ways',
  'auth/no-key-is-403',
];

/** Asks for an operation with another path or method. The twist names the operation. */
const askTwisted =
  (id: OperationId, params: Readonly<Record<string, string>>) =>
  (kind: string, change: Pick<Ask, 'path' | 'method'>): Ask => ({
    operation: id,
    params,
    twist: `${kind} ${id}`,
    ...change,
  });

/** A PATCH without a known body does nothing, even where it is served. */
const otherMethod = 'PATCH';

/** Requests with nearly the method or path of an operation. */
export function nearMisses(
  { operations: deployed }: Deployment,
  { id, path }: Pick<DeployedOperation, 'id' | 'path'>,
  params: Readonly<Record<string, string>>,
): Ask[] {
  const filled = fillPath(path, params);
  const ask = askTwisted(id, params);
  const misses = [ask('path/unknown', { path: `${filled}/partnerkit-no-such-path` })];
  if (filled.startsWith('/v1/')) misses.push(ask('path/no-v1', { path: filled.slice('/v1'.length) }));
  if (!deployed.some((other) => other.path === path && other.method === otherMethod))
    misses.push(ask('method/other', { method: otherMethod }));
  if (operations[id].method !== 'GET') return misses;
  const shouted = fillPath(
    path.replace(/[a-z]+(?=\/|$)/g, (segment) => segment.toUpperCase()),
    params,
  );
  return [...misses, ask('path/trailing-slash', { path: `${filled}/` }), ask('path/upper-case', { path: shouted })];
}

/**
 * Other spellings of a read that a service may take for the same request, although its gateway does not. Sent without a valid key: what
 * they mean is not documented, but nobody may be served without a key.
 */
function otherSpellings(
  { id, path }: Pick<DeployedOperation, 'id' | 'path'>,
  params: Readonly<Record<string, string>>,
): Ask[] {
  const filled = fillPath(path, params);
  const ask = askTwisted(id, params);
  const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return [
    ask('path/double-slash', { path: filled.replace(/\/(?=[^/]+$)/, '//') }),
    ask('path/version-in-capitals', { path: filled.replace(/^\/v(?=\d)/, '/V') }),
    ask('path/encoded-letter', { path: filled.replace(/[a-z](?=[a-z]+(\/|$))/, encoded) }),
    ask('path/suffix', { path: `${filled}.json` }),
    ask('method/head', { method: 'HEAD' }),
    ask('method/options', { method: 'OPTIONS' }),
    ask('path/double-slash-first', { path: `/${filled}` }),
    // A gateway may trust what claims to come from its own machine.
    { operation: id, params, headers: { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' } },
  ];
}

/** Near misses of every operation except writes of labels, which need a lock and are in near-ids.ts. */
export const misrouted: Generate = function* (deployment) {
  for (const [position, operation] of deployment.operations.entries()) {
    const { id, scopes, path } = operation;
    const [first] = lawfulAsks(id, deployment, () => '');
    const [key] = keysWith(deployment.tenant, scopes);
    if (labelWriteOf(id, {}) !== null || first === undefined || key === undefined) continue;
    yield {
      id: `near-misses/${id}`,
      title: `nearly the method and the path of ${id}, and reads without a key`,
      feeds: [...feeds, ...(id === 'startSiteFileUpload' ? (['ids/site-id'] as const) : [])],
      uses: [id],
      async run({ send, newId }) {
        const [lawful] = lawfulAsks(id, deployment, newId);
        if (lawful === undefined) return;
        const { params = {}, body } = lawful.ask;
        // The correct request comes first, for comparison with the replies to the near misses.
        await send({ ...lawful.ask, key });
        const withBody = body === undefined ? {} : { body };
        for (const miss of nearMisses(deployment, operation, params)) {
          await send({ ...miss, ...withBody, key });
          // A gateway may check keys by path, and the service behind it may take other paths for the same.
          if (operations[id].method === 'GET' && miss.path !== undefined) await send({ ...miss, credential: 'none' });
        }
        if (operations[id].method === 'GET')
          // The operations share the spellings.
          for (const [turn, spelling] of otherSpellings(operation, params).entries())
            if ((turn + position) % 2 === 0)
              await send({ ...spelling, key, credential: position % 4 < 2 ? 'none' : 'unknown' });
        if (id !== 'startSiteFileUpload' || !path.includes('{id}')) return;
        for (const key of keysWith(deployment.tenant, scopes))
          await send({ operation: id, path: path.replace('{id}', ''), twist: `path/empty-id ${id}`, ...withBody, key });
      },
    };
  }
};

/** The operation that a near miss resembles. */
export const meantBy = (twist: string | null): OperationId | undefined => {
  const id = twist?.split(' ')[1];
  return id !== undefined && Object.hasOwn(operations, id) ? (id as OperationId) : undefined;
};
