import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import type { Key } from '../control/control-types.ts';
import { href } from '../navigation/route.ts';
import { Fact } from '../parts/fact.tsx';
import { HeadRow } from '../parts/head-row.tsx';
import { Instant } from '../parts/instant.tsx';
import { LastRequests } from '../requests/last-requests.tsx';
import { describeLimit } from '../words/describe-limit.ts';
import { KeyState } from './key-state.tsx';
import { KeyText } from './key-text.tsx';
import type { KeyAct } from './keys-table.tsx';
import { scopeSentences } from './scope-sentences.ts';

interface KeyPageProps {
  /** Not named `key`, because React reserves that name. */
  readonly apiKey: Key;
  readonly onAct: (act: KeyAct, key: Key) => void;
}

/** One key: its scopes, its rate limit and its last requests. */
export function KeyPage({ apiKey, onAct }: KeyPageProps) {
  const { tenant, name, state, rateLimit, ownRateLimit, createdAt, lastUsedAt } = apiKey;
  const works = state === 'ACTIVE';
  return (
    <>
      <div className="heading">
        <div>
          <p className="crumbs">
            <a href={href('keys', { tenant })}>Developer</a> › {tenant}
          </p>
          <h1>
            {name} <KeyState state={state} />
          </h1>
        </div>
        {works && (
          <div className="row">
            <button type="button" onClick={() => onAct('edit', apiKey)}>
              Edit…
            </button>
            <button type="button" onClick={() => onAct('regenerate', apiKey)}>
              Regenerate…
            </button>
            <button type="button" className="danger apart" onClick={() => onAct('revoke', apiKey)}>
              Revoke…
            </button>
          </div>
        )}
      </div>
      <dl className="facts card">
        <Fact name="Key">
          <KeyText apiKey={apiKey} />
        </Fact>
        <Fact name="Limit">
          {describeLimit(rateLimit)}
          {ownRateLimit && <span className="quiet"> (its own)</span>}
        </Fact>
        {works && rateLimit !== null && (
          <Fact name="Level now">
            <BucketLevel apiKey={apiKey} />
          </Fact>
        )}
        <Fact name="Created">
          <Instant at={createdAt} />
        </Fact>
        <Fact name="Last used">
          <Instant at={lastUsedAt} />
        </Fact>
      </dl>
      <Permitted scopes={apiKey.scopes} />
      <LastRequests tenant={tenant} query={{ key: name }} all={href('requests', { tenant, key: name })} />
    </>
  );
}

function BucketLevel({ apiKey: { id, tenant, name } }: { readonly apiKey: Key }) {
  const { data } = useQuery({ queryKey: ['limit', id], queryFn: () => control.limit(id), refetchInterval: 1_000 });
  return <a href={href('limits', { tenant, key: name })}>{data?.level?.toFixed(1) ?? '…'}</a>;
}

function Permitted({ scopes }: { readonly scopes: readonly string[] }) {
  const granted = scopeSentences.filter(({ scope }) => scopes.includes(scope));
  const others = scopeSentences.filter(({ scope }) => !scopes.includes(scope));
  return (
    <section aria-labelledby="permitted">
      <h2 id="permitted">Scopes</h2>
      {granted.length === 0 ? (
        <p className="quiet">This key has no scope. It can only read health and labels.</p>
      ) : (
        <ScopesTable scopes={granted} />
      )}
      {others.length > 0 && (
        <details>
          <summary>{others.length === 1 ? '1 scope' : `${others.length} scopes`} that this key does not have</summary>
          <ScopesTable scopes={others} />
        </details>
      )}
    </section>
  );
}

function ScopesTable({ scopes }: { readonly scopes: typeof scopeSentences }) {
  return (
    <table className="stacking">
      <HeadRow names={['Scope', 'What it permits', 'Operations that need it']} />
      <tbody>
        {scopes.map(({ scope, sentence, operations }) => (
          <tr key={scope}>
            <th scope="row">
              <code>{scope}</code>
            </th>
            <td data-label="Permits">{sentence}</td>
            <td data-label="Operations">
              <span className="chips">
                {operations.map((id) => (
                  <a key={id} href={href('reference', { operation: id })}>
                    {id}
                  </a>
                ))}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
