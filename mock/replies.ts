import type { OperationId } from '../spec/operations.ts';
import type { ApiReply } from './message.ts';
import type { LabelHolder } from './store/records.ts';
import type { Tenant } from './store/tenant.ts';

/** How many replies are kept, so that a million conversations take no more memory than a thousand. */
const maxKept = 1_000;

/** Longer bodies (in characters) are not kept, so that all together take 16 MB at most, and mostly 1. */
const maxLength = 16 * 1024;

/** The last replies about records. Each is kept until the labels of its record change, which is all that its operation can change about it. */
export class KeptReplies {
  readonly #kept = new Map<LabelHolder, { id: OperationId; labels: Iterable<string>; reply: ApiReply }>();

  /** The reply of an operation about a record: the last one, or a new one if the labels were changed since. */
  about(holder: LabelHolder, id: OperationId, tenant: Tenant, make: () => ApiReply): ApiReply {
    // Every change of labels makes a new set of them.
    const labels = tenant.labelsOf(holder);
    const last = this.#kept.get(holder);
    if (last?.id === id && last.labels === labels) return last.reply;
    const reply = make();
    if ((reply.body?.length ?? 0) > maxLength) return reply;
    const [oldest] = this.#kept.size >= maxKept ? this.#kept.keys() : [];
    if (oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(holder, { id, labels, reply });
    return reply;
  }
}
