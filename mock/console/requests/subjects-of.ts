import type { Exchange } from '../control/control.ts';
import { nameKey, type RecordNames } from '../control/reads.ts';
import { decoded, shortId } from '../parts/words.ts';

type Addressed = Pick<Exchange, 'tenant' | 'operationId' | 'request'>;

/** The records in the path of a request, in order, each with the end of a long id. Where the path itself is shown, only those with a name. */
export function subjectsOf({ tenant, operationId, request }: Addressed, names: RecordNames) {
  const [path = ''] = request.url.split('?', 1);
  return path.split('/').flatMap((part) => {
    const id = decoded(part);
    const name = names.get(nameKey(tenant, id));
    const short = shortId(id);
    return name !== undefined || (operationId !== null && short !== id) ? [{ id, short, name }] : [];
  });
}
