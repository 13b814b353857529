import { isOperationId, type Operation, operationList, type Provenance } from '../../../spec/operations.ts';
import { control } from '../control/control.ts';
import { useRead } from '../control/reads.ts';
import { hrefWith, useRoute } from '../navigation/route.ts';
import { useTenant } from '../navigation/tenant.tsx';
import { DownloadButton } from '../parts/download-button.tsx';
import { Table } from '../parts/table.tsx';
import { Loaded, Method, ProvenanceBadge, provenanceMeanings } from '../parts/text.tsx';
import { type Contract, operationOf } from './contract.ts';
import { OperationSection, Prose } from './operation-section.tsx';
import './reference.css';

/** The OpenAPI document of this mock, with a form to try every operation. */
export default function ReferenceView() {
  const { params } = useRoute();
  const contract = useRead(['contract'], async () => (await control.contract()) as Contract);
  const asked = params.get('operation') ?? '';
  const chosen = isOperationId(asked) ? asked : null;
  const document = contract.data;
  // Until the document is loaded, the operations of the contract are shown.
  const offered = operationList.flatMap((operation) => {
    const deployed = document === undefined ? operation : operationOf(document, operation.id);
    return deployed === undefined ? [] : [{ ...operation, method: deployed.method, path: deployed.path }];
  });
  const tags = [...new Set(offered.map(({ tag }) => tag))];
  return (
    <div className="reference-page">
      <nav aria-label="Operations">
        <h1>API reference</h1>
        <a href={hrefWith({ operation: null })} aria-current={chosen === null ? 'page' : undefined}>
          All operations
        </a>
        {tags.map((tag) => (
          <div key={tag}>
            <h2>{tag}</h2>
            <ul>
              {offered
                .filter((operation) => operation.tag === tag)
                .map(({ id, method, summary }) => (
                  <li key={id}>
                    <a href={hrefWith({ operation: id })} aria-current={chosen === id ? 'page' : undefined} title={id}>
                      <Method method={method} /> {summary}
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="stack">
        <Loaded query={contract}>
          {(known) =>
            chosen === null ? (
              <Overview contract={known} operations={offered} />
            ) : (
              <OperationSection key={chosen} contract={known} id={chosen} />
            )
          }
        </Loaded>
      </div>
    </div>
  );
}

interface OverviewProps {
  readonly contract: Contract;
  /** The operations of this mock, which follow its profile. */
  readonly operations: readonly Operation[];
}

/** A table of all operations. */
function Overview({ contract, operations }: OverviewProps) {
  const { info } = contract;
  return (
    <>
      <h2>
        {info.title} <span className="quiet">{info.version}</span>
      </h2>
      {info.summary !== undefined && <p>{info.summary}</p>}
      <section aria-labelledby="operations">
        <h3 id="operations">Operations</h3>
        <Table
          rows={operations}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Operation',
              cell: ({ id, method, path }) => (
                <a href={hrefWith({ operation: id })}>
                  <Method method={method} /> <code>{path}</code>
                </a>
              ),
            },
            { name: 'What it does', cell: ({ summary }) => summary },
            {
              name: 'Scopes',
              cell: ({ scopes }) => (
                <span className="chips">
                  {scopes.length === 0 ? (
                    <span className="quiet">any key</span>
                  ) : (
                    scopes.map((scope) => <code key={scope}>{scope}</code>)
                  )}
                </span>
              ),
            },
          ]}
        />
      </section>
      <Collections />
      <section aria-labelledby="provenance">
        <h3 id="provenance">Where each statement comes from</h3>
        <ul className="row">
          {(Object.keys(provenanceMeanings) as Provenance[]).map((provenance) => (
            <li key={provenance}>
              <ProvenanceBadge provenance={provenance} /> {provenanceMeanings[provenance]}
            </li>
          ))}
        </ul>
      </section>
      <details>
        <summary>Rules that hold for every operation</summary>
        <div className="stack lead">
          <Prose text={info.description ?? ''} />
        </div>
      </details>
    </>
  );
}

const collections = [
  ['postman', 'Postman', 'partner-api.postman_collection.json'],
  ['bruno', 'Bruno', 'partner-api.bruno.zip'],
  ['http', '.http file', 'partner-api.http'],
] as const;

/** Downloads all operations as a collection for API clients. */
function Collections() {
  const tenant = useTenant();
  if (tenant === null) return null;
  return (
    <section aria-labelledby="collections">
      <h3 id="collections">In your API client</h3>
      <p className="quiet">All operations, with the address of this mock and the ids and fake keys of {tenant}.</p>
      <div className="row">
        {collections.map(([format, label, fileName]) => (
          <DownloadButton
            key={format}
            path={`/collections/${format}?${new URLSearchParams({ tenant })}`}
            fileName={fileName}
            label={label}
            subject="collection"
          />
        ))}
      </div>
    </section>
  );
}
