import { useQuery } from '@tanstack/react-query';
import { isOperationId, type OperationId, operationList } from '../../../spec/operations.ts';
import { control } from '../control/control.ts';
import { hrefWith, useRoute } from '../navigation/route.ts';
import { Loaded } from '../parts/loaded.tsx';
import { type Contract, operationOf } from './contract.ts';
import { OperationSection } from './operation-section.tsx';
import { Overview } from './overview.tsx';
import './reference.css';

/** The OpenAPI document of this mock, with a form to try every operation. */
export default function ReferenceView() {
  const { params } = useRoute();
  const contract = useQuery({
    queryKey: ['contract'],
    queryFn: async () => (await control.contract()) as Contract,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const asked = params.get('operation') ?? '';
  const chosen: OperationId | null = isOperationId(asked) ? asked : null;
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
                      <span className={`method ${method.toLowerCase()}`}>{method}</span> {summary}
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="reading">
        <Loaded query={contract}>
          {(document) =>
            chosen === null ? (
              <Overview contract={document} operations={offered} />
            ) : (
              <OperationSection key={chosen} contract={document} id={chosen} />
            )
          }
        </Loaded>
      </div>
    </div>
  );
}
