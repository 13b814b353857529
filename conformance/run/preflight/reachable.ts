import type { OperationId } from '../../../spec/operations.ts';
import { terminalLine } from '../../../spec/text/terminal-text.ts';
import { type Ask, Stopped } from '../../client/ask.ts';
import type { Scene } from '../../experiments/bench.ts';
import { type Exchange, jsonOf } from '../../history/exchange.ts';
import type { Facts } from '../../history/facts.ts';
import type { Deployment } from '../../target/deployment.ts';
import { keyFor, keysOf } from '../../target/keys.ts';

/** What a check of the preflight asks with. */
export type Asking = Pick<Scene, 'send' | 'newId'>;

export const pathOf = ({ url }: Exchange): string => URL.parse(url)?.pathname ?? url;

/** Nothing can be judged, because baseUrl does not reply or is not the address of this API. */
export class PreflightError extends Error {
  constructor(message: string) {
    // The message may quote a reply, which may hold control characters.
    super(terminalLine(message));
  }
}

/** The target file does not describe the deployment. */
export class UntrueTarget extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => terminalLine(problem));
    super(`the target file does not describe the deployment:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.problems = lines;
  }
}

const unknownId = '00000000-0000-4000-8000-000000000000';
const probes = ['listLabels', 'getHealth', 'getConversationContext'] as const satisfies readonly OperationId[];

export async function assertReachable(deployment: Deployment, { send }: Asking): Promise<void> {
  const { baseUrl, tenant } = deployment;
  const available = probes.filter((id) => deployment.operation(id) !== undefined);
  const [first] = available;
  if (first === undefined)
    throw new PreflightError(
      `the target file sets ${probes.join(', ')} to null: at least one of these operations is needed`,
    );
  const found = keyFor(deployment, {});
  if ('missing' in found) throw new PreflightError(`the target file lacks ${found.missing}`);
  const params = { id: tenant.conversations?.open ?? unknownId };
  const probe = (ask: Pick<Ask, 'operation' | 'credential' | 'unpaced' | 'facts'>) =>
    send({ params, key: found.key, ...ask }).catch((error: unknown) => {
      if (error instanceof Stopped)
        throw new PreflightError(`${baseUrl}: ${error.message} before anything was checked`);
      throw error;
    });
  // A deployment that has slept may not know its keys yet. It is asked once, since one that is not there is not asked for long.
  const facts: Facts = { operation: first, caller: 'unknown', owner: null, label: null, mutation: null };
  await probe({ operation: first, credential: 'unknown', unpaced: true, facts });
  let notFound: Exchange | undefined;
  for (const operation of available) {
    const exchange = await probe({ operation });
    const { status, failure } = exchange;
    if (status === null)
      throw new PreflightError(`${baseUrl}: ${failure}${/within \d+ ms$/.test(failure ?? '') ? longer : ''}`);
    if (busy.includes(status)) return assertUsable(deployment, available, send);
    if (status === 429 || status >= 500) return;
    if (status !== 404 && status !== 405) {
      if (status < 300 || status >= 400) assertJson(baseUrl, exchange);
      if (status >= 300 && status < 400)
        throw new PreflightError(
          `${baseUrl}: answered ${status} to ${exchange.headers.location ?? 'elsewhere'}, which is not followed; give the address it leads to as baseUrl`,
        );
      return;
    }
    assertJson(baseUrl, exchange);
    notFound ??= exchange;
  }
  throw new PreflightError(
    `${baseUrl}: none of ${available.join(', ')} is there, ${notFound?.method} ${notFound?.url} answered ${notFound?.status}; is baseUrl the address of the API, without /v1 and with any prefix that it has?`,
  );
}

const longer = '; check the network, or give a longer --timeout';

/** What a gateway answers while there is nothing behind it. */
const busy: readonly (number | null)[] = [502, 503, 504];

/** One operation or one key that is answered so is to be judged: only where no key gets anything else, there is nothing to judge. */
async function assertUsable(
  { baseUrl, tenant }: Deployment,
  available: readonly OperationId[],
  send: Asking['send'],
): Promise<void> {
  const params = { id: tenant.conversations?.open ?? unknownId };
  const asks = keysOf(tenant).flatMap((key) => available.map((operation) => send({ operation, params, key })));
  const replies = await Promise.all(asks);
  if (!replies.every(({ status }) => status === null || busy.includes(status))) return;
  const statuses = [...new Set(replies.map(({ status }) => status ?? 'no reply'))];
  throw new PreflightError(
    `${baseUrl}: nothing usable comes back, ${statuses.join(' and ')} to ${available.join(', ')} by every key, each five times; check the gateway and that the service behind it runs`,
  );
}

function assertJson(baseUrl: string, exchange: Exchange): void {
  const type = exchange.headers['content-type'] ?? 'no Content-Type';
  // Malformed JSON with a JSON content type is a fault of the deployment, and no sign of a wrong address.
  if (jsonOf(exchange) !== undefined || exchange.status === 204 || /\bjson\b/i.test(type)) return;
  throw new PreflightError(
    `${baseUrl}: ${exchange.method} ${exchange.url} answered ${exchange.status} with ${type} that is not JSON; is baseUrl the address of the API, without /v1, and not of a web page or a proxy in front of it?`,
  );
}
