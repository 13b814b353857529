import { useState } from 'react';
import { journalFeed } from '../control/journal-feed.ts';
import { useKeys } from '../control/reads.ts';
import { href, useRoute } from '../navigation/route.ts';
import { useTenant } from '../navigation/tenant.ts';
import { Table } from '../parts/table.tsx';
import { TenantSelect } from '../parts/tenant-select.tsx';
import { Age, Loaded } from '../parts/text.tsx';
import { FirstRequest } from '../requests/requests-view.tsx';
import { CreateKey, ScopeList } from './key-form.tsx';
import { KeyLimit, KeyPage, KeyState, KeyText } from './key-page.tsx';

const noKey = { name: '', scopes: [], rateLimit: null, ownRateLimit: false };

/** The page Settings › Integrations › Developer, where API keys are created and revoked. */
export default function DeveloperView() {
  const tenant = useTenant();
  const { params } = useRoute();
  const [createdId, setCreatedId] = useState<string | null>(null);
  const keys = useKeys(tenant);
  const isUnused = journalFeed.use().length === 0;
  const connection = journalFeed.useConnection();
  const named = params.get('key');
  const chosen = keys.data?.findLast(({ id, name }) => (named === null ? id === params.get('id') : name === named));
  if (chosen !== undefined) return <KeyPage apiKey={chosen} />;
  return (
    <>
      <div className="heading">
        <div>
          <p className="crumbs">Settings › Integrations</p>
          <h1>Developer</h1>
        </div>
        <div className="row">
          <TenantSelect />
          <CreateKey tenant={tenant} initial={noKey} onMade={setCreatedId} />
        </div>
      </div>
      {isUnused && connection === 'live' && (
        <FirstRequest>
          This is a mock of the partner API. Run this in a terminal (its key works), then look in{' '}
          <a href={href('requests')}>Requests</a>.
        </FirstRequest>
      )}
      <p className="quiet lead">
        A key, sent as <code>x-api-key</code>, opens the API of one tenant, as far as its scopes permit. The mock keeps
        only a hash of it, except of a fixture’s documented fakes, which can be copied.
      </p>
      <Loaded query={keys}>
        {(list) => (
          <Table
            rows={[...list].sort((a, b) => b.createdAt.localeCompare(a.createdAt))}
            keyOf={({ id }) => id}
            stateOf={({ id, state }) => (state === 'REVOKED' ? 'over' : id === createdId ? 'marked' : undefined)}
            none="This tenant has no key."
            columns={[
              {
                name: 'Name',
                cell: (key) => (
                  <>
                    <a href={href('keys', { tenant, id: key.id })}>{key.name}</a>{' '}
                    {key.state === 'REVOKED' ? (
                      <KeyState {...key} />
                    ) : (
                      key.id === createdId && <span className="badge reference">new</span>
                    )}
                  </>
                ),
              },
              { name: 'Key', kind: 'whole', cell: (key) => <KeyText apiKey={key} /> },
              { name: 'Scopes', cell: ({ scopes }) => <ScopeList of={scopes} none="none" /> },
              { name: 'Limit', kind: 'whole', cell: KeyLimit },
              { name: 'Last accepted', kind: 'whole', cell: ({ lastUsedAt }) => <Age at={lastUsedAt} /> },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
