import { operationList, scopes } from '../../../spec/operations.ts';
import type { Key } from '../control/control-types.ts';
import { useKnownKeys } from '../control/reads.ts';
import { CopyButton } from '../parts/buttons.tsx';
import { describeLimit } from '../parts/words.ts';

const sentences: Readonly<Record<string, string>> = {
  'conversation:read': 'Read conversations and their context.',
  'conversation:write': 'Put public labels on conversations and take them off.',
  'client:read': 'Read clients.',
  'client:write': 'Together with site:write, put public labels on client-site links and take them off.',
  'site:read': 'Read sites.',
  'site:write': 'Put public labels on sites and take them off.',
  'siteFile:write': 'Upload files and register them on sites.',
  'user:read': 'Read users. No operation needs it yet.',
};

/** Every scope with a sentence on what it permits, and the operations that need it. */
export const scopeSentences = scopes.map((scope) => ({
  scope,
  sentence: sentences[scope] ?? '',
  operations: operationList.filter((operation) => operation.scopes.includes(scope)).map(({ id }) => id),
}));

/** The state of a key: ACTIVE or REVOKED. */
export const KeyState = ({ state }: Pick<Key, 'state'>) => (
  <span className={state === 'REVOKED' ? 'badge bad' : 'badge good'}>{state}</span>
);

/** The limit of a key, and whether it is the key's own. */
export const KeyLimit = ({ rateLimit, ownRateLimit }: Pick<Key, 'rateLimit' | 'ownRateLimit'>) => (
  <span>
    {describeLimit(rateLimit)}
    {ownRateLimit && (
      <>
        {' '}
        <span className="badge" title="In place of the mock’s default">
          own
        </span>
      </>
    )}
  </span>
);

/** The secret of a key of a fixture file, which is a documented fake. For all other keys the mock has only a hash. */
export const useSecretOf = ({ tenant, name, prefix }: Key) =>
  useKnownKeys(tenant).find((key) => key.name === name && key.secret.startsWith(prefix))?.secret;

/** The first characters of a key. A secret that is known can be copied. */
export function KeyText({ apiKey }: { readonly apiKey: Key }) {
  const secret = useSecretOf(apiKey);
  return (
    <span className="whole">
      <code>{apiKey.prefix}…</code>{' '}
      {secret !== undefined && apiKey.state === 'ACTIVE' && (
        <CopyButton text={secret} subject={`the secret of ${apiKey.name}`} className="plain" />
      )}
    </span>
  );
}
