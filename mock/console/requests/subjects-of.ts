import type { Exchange } from '../control/control.ts';
import { nameKey, type RecordNames } from '../control/reads.ts';
import { shortId } from '../parts/words.ts';

/** The records in the path of a request, in order, each with the end of a long id. */
export function subjectsOf({ tenant, request }: Pick<Exchange, 'tenant' | 'request'>, names: RecordNames) {
  const [path = ''] = request.url.split('?', 1);
  return path.split('/').flatMap((part) => {
    const id = decoded(part);
    const name = names.get(nameKey(tenant, id));
    const short = shortId(id);
    return name !== undefined || short !== id ? [{ id, short, name }] : [];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
