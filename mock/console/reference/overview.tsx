import { useQuery } from '@tanstack/react-query';
import type { Operation } from '../../../spec/operations.ts';
import { control } from '../control/control.ts';
import { knownKeys } from '../control/known-keys.ts';
import { hrefWith } from '../navigation/route.ts';
import { ProvenanceBadge } from '../parts/provenance-badge.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { Collections } from './collections.tsx';
import { type Contract, operationOf } from './contract.ts';
import { Prose } from './prose.tsx';

interface OverviewProps {
  readonly contract: Contract;
  /** The operations of this mock, which follow its profile. */
  readonly operations: readonly Operation[];
}

/** A list of all operations, and a first request that works. */
export function Overview({ contract, operations }: OverviewProps) {
  const { info } = contract;
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return (
    <>
      <h2>
        {info.title} <span className="quiet">{info.version}</span>
      </h2>
      {info.summary !== undefined && <p>{info.summary}</p>}
      <FirstCall contract={contract} />
      {tags.map((tag) => (
        <section key={tag} aria-labelledby={`tag-${tag}`}>
          <h3 id={`tag-${tag}`} className="tag">
            {tag}
          </h3>
          <ul className="card offered">
            {operations
              .filter((operation) => operation.tag === tag)
              .map(({ id, method, path, summary }) => (
                <li key={id}>
                  <a href={hrefWith({ operation: id })}>
                    <span className={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
                  </a>
                  <span className="quiet">{summary}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <Collections />
      <section aria-labelledby="provenance">
        <h3 id="provenance">Where each statement comes from</h3>
        <ul className="legend">
          <li>
            <ProvenanceBadge provenance="documented" /> the specification says so
          </li>
          <li>
            <ProvenanceBadge provenance="reference" /> seen in the public reference pages only
          </li>
          <li>
            <ProvenanceBadge provenance="assumed" /> this project’s judgement
          </li>
        </ul>
      </section>
      <details>
        <summary>Rules that hold for every operation</summary>
        <div className="prose">
          <Prose text={info.description ?? ''} />
        </div>
      </details>
    </>
  );
}

/** A request that works without changes, and its reply. */
function FirstCall({ contract }: { readonly contract: Contract }) {
  const { data: target } = useQuery({ queryKey: ['target'], queryFn: control.target });
  const tenant = target?.tenants.find((one) => knownKeys(one).length > 0);
  const { data } = useQuery({
    queryKey: ['tenant', tenant?.name],
    queryFn: () => control.tenant(tenant?.name ?? ''),
    enabled: tenant !== undefined,
  });
  const operation = operationOf(contract, 'listLabels');
  const [key] = knownKeys(tenant);
  // The reply of this mock, of which only the first labels are shown below.
  const labels = data?.records.labels.flatMap(({ id, name, visibility }) =>
    visibility === 'public' ? [{ id, name }] : [],
  );
  if (operation === undefined || key === undefined) return null;
  return (
    <section aria-labelledby="first" className="pair">
      <div>
        <h3 id="first">A first request</h3>
        <CodeTabs
          request={{ method: operation.method, url: location.origin + operation.path, secret: key.secret, body: null }}
        />
      </div>
      <div>
        <h3>Its reply, shortened</h3>
        <pre className="card">{JSON.stringify(labels ? { labels: labels.slice(0, 3) } : undefined, null, 2)}</pre>
      </div>
    </section>
  );
}
