import { operations } from '../../../spec/operations.ts';
import { capital } from '../../../spec/report-page/markup.ts';
import { control } from '../control/control.ts';
import { useRead } from '../control/reads.ts';
import { ScopeList } from '../keys/key-form.tsx';
import { hrefWith, useRoute } from '../navigation/route.ts';
import { useTenant } from '../navigation/tenant.ts';
import { DownloadButton } from '../parts/buttons.tsx';
import { breakable } from '../parts/code.tsx';
import { Facts, Loaded, Method, provenanceMeanings, Section } from '../parts/text.tsx';
import { type Contract, type ContractOperation, contractOf } from './contract.ts';
import { OperationSection, Prose } from './operation-section.tsx';

/** The OpenAPI document of this mock, with a form to try every operation. */
export default function ReferenceView() {
  const { params } = useRoute();
  const contract = useRead(['contract'], async () => contractOf(await control.contract()));
  const id = params.get('operation') ?? '';
  return (
    <>
      {id === '' && <h1>API reference</h1>}
      <Loaded query={contract}>
        {(known) => {
          if (id === '') return <Overview contract={known} />;
          const operation = known.operations.find(({ operationId }) => operationId === id);
          return (
            <div className="split reference">
              <nav aria-label="Operations" className="stack">
                <Operations of={known.operations} chosen={id} />
              </nav>
              {operation && <OperationSection key={id} operation={operation} />}
              {!operation && <p className="empty">This mock has no operation {id}. Its profile may leave it out.</p>}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

const bringInSight = (link: HTMLElement | null) => link?.scrollIntoView({ block: 'nearest' });

/** As a partner meets them. */
const areas = ['conversations', 'sites', 'clients', 'labels', 'files', 'service'];

/** The operations of each area. A profile may leave all of one out. */
const byArea = (of: readonly ContractOperation[]) =>
  areas
    .map((tag) => [capital(tag), of.filter(({ operationId: id }) => operations[id].tag === tag)] as const)
    .filter(([, some]) => some.length > 0);

/** Links to all operations, by their areas, with paths and scopes where none is chosen. */
const Operations = ({ of, chosen }: { readonly of: readonly ContractOperation[]; readonly chosen?: string }) =>
  byArea(of).map(([tag, some]) => (
    <div key={tag}>
      <h2 className={chosen && 'crumbs'}>{tag}</h2>
      <ul>
        {some.map(({ operationId: id, method, summary, path, 'x-scopes': scopes }) => (
          <li key={id}>
            <a
              href={hrefWith({ operation: id })}
              aria-current={chosen === id ? 'page' : undefined}
              title={id}
              ref={chosen === id ? bringInSight : undefined}
            >
              <Method method={method} />{' '}
              <span>
                {summary}
                {chosen === undefined && (
                  <span className="under row">
                    <code>{breakable(path)}</code> <ScopeList of={scopes} none="any key" />
                  </span>
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  ));

/** All operations, and what holds for all of them. */
function Overview({ contract: { info, operations } }: { readonly contract: Contract }) {
  return (
    <>
      <p className="quiet lead">
        {info.title} {info.version}. {info.summary}
      </p>
      <nav aria-label="Operations" className="card columns">
        <Operations of={operations} />
      </nav>
      <Collections />
      <Section title="Where each statement comes from">
        <Facts className="schema" of={provenanceMeanings} />
      </Section>
      <details>
        <summary>Rules that hold for every operation</summary>
        <div className="stack lead">
          <Prose text={info.description} />
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
    <Section title="In your API client" className="on-screen">
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
    </Section>
  );
}
