import type { Exchange } from '../control/control.ts';
import { nameKey, type RecordNames } from '../control/reads.ts';
import { shortId } from '../parts/words.ts';

/** A record that a request is about. */
interface Subject {
  readonly id: string;
  /** The end of a long id. */
  readonly short: string;
  readonly name: string | undefined;
}

/** The records in the path of a request, in order. */
export function subjectsOf({ tenant, request }: Pick<Exchange, 'tenant' | 'request'>, names: RecordNames): Subject[] {
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
