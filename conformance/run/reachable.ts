import type { OperationId } from '../../spec/operations.ts';
import { terminalLine } from '../../spec/text/terminal-text.ts';
import type { Ask } from '../client/ask.ts';
import type { Scene } from '../experiments/bench.ts';
import { type Exchange, jsonOf } from '../history/exchange.ts';
import { type Deployment, keyFor, keysOf } from '../target/deployment.ts';

/** What checks of a target file ask with. */
export type Asking = Pick<Scene, 'send' | 'newId'>;

/** Nothing can be judged, because baseUrl does not reply or is not the address of this API. */
export class PreflightError extends Error {
  override readonly name = 'PreflightError';
  constructor(message: string) {
    // The message may quote a reply, which may hold control characters.
    super(terminalLine(message));
  }
}

const unknownId = '00000000-0000-4000-8000-000000000000';
const probes = ['listLabels', 'getHealth', 'getConversationContext'] as const satisfies readonly OperationId[];

/** What a gateway answers while there is nothing behind it. */
const busy: readonly (number | null)[] = [502, 503, 504];

const typeOf = ({ headers }: Exchange) => headers['content-type'] ?? 'no Content-Type';

/** Malformed JSON with a JSON content type is a fault of the deployment, and no sign of a wrong address. */
const isPage = (one: Exchange) => jsonOf(one) === undefined && one.status !== 204 && !/\bjson\b/i.test(typeOf(one));

/** @throws PreflightError in one sentence: what was tried, what came back, what to do */
export async function assertReachable(deployment: Deployment, { send }: Asking): Promise<void> {
  const { baseUrl, tenant } = deployment;
  const fail = (words: string): never => {
    throw new PreflightError(`${baseUrl}: ${words}`);
  };
  const available = probes.filter((id) => deployment.operation(id) !== undefined);
  const [first] = available;
  if (first === undefined)
    return fail(`the target file sets ${probes.join(', ')} to null: at least one of these operations is needed`);
  const key = keyFor(deployment, []);
  if (key === undefined) return fail('the target file lacks tenants[0].keys: a key');
  const params = { id: tenant.conversations?.open ?? unknownId };
  const probe = (ask: Ask) => send({ params, key, ...ask });
  // A deployment that has slept may not know its keys yet. It is asked once, since one that is not there is not asked for long.
  const facts = { operation: first, caller: 'unknown', owner: null, label: null, mutation: null } as const;
  await probe({ operation: first, credential: 'unknown', unpaced: true, facts });
  let notFound: Exchange | undefined;
  for (const operation of available) {
    const exchange = await probe({ operation });
    const { status, failure, headers, method, url } = exchange;
    if (status === null) {
      const isLate = /within \d+ ms$/.test(failure ?? '');
      return fail(`${failure}${isLate ? '; check the network, or give a longer --timeout' : ''}`);
    }
    if (busy.includes(status)) {
      // One operation or one key that is answered so is to be judged: only where no key gets anything else, there is nothing to judge.
      const asks = keysOf(tenant).flatMap((one) => available.map((id) => send({ operation: id, params, key: one })));
      const statuses = new Set((await Promise.all(asks)).map((reply) => reply.status));
      if ([...statuses].some((one) => one !== null && !busy.includes(one))) return;
      const words = [...statuses].map((one) => one ?? 'no reply').join(' and ');
      return fail(
        `nothing usable comes back, ${words} to ${available.join(', ')} by every key, each five times; check the gateway and that the service behind it runs`,
      );
    }
    if (status === 429 || status >= 500) return;
    if (status >= 300 && status < 400)
      return fail(
        `answered ${status} to ${headers.location ?? 'elsewhere'}, which is not followed; give the address it leads to as baseUrl`,
      );
    // What is at a wrong address always answers so.
    if (isPage(exchange) && isPage(await probe({ operation })))
      return fail(
        `${method} ${url} answered ${status} with ${typeOf(exchange)} that is not JSON; is baseUrl the address of the API, without /v1, and not of a web page or a proxy in front of it?`,
      );
    if (status !== 404 && status !== 405) return;
    notFound ??= exchange;
  }
  return fail(
    `none of ${available.join(', ')} is there, ${notFound?.method} ${notFound?.url} answered ${notFound?.status}; is baseUrl the address of the API, without /v1 and with any prefix that it has?`,
  );
}
