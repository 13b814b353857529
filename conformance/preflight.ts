import type { OperationId } from '../spec/operations.ts';
import { terminalLine } from '../spec/text/terminal-text.ts';
import { TransportError, type TransportProblem } from './client/http.ts';
import type { Client } from './client.ts';
import type { Reply } from './reply.ts';
import type { Deployment } from './target/deployment.ts';
import { keyFor } from './target/keys.ts';

/** There is nothing to judge: nobody answers, or what answers is not this API. Nothing but this question was sent. */
export class PreflightError extends Error {
  constructor(message: string) {
    // It may quote a header, and goes to a terminal.
    super(terminalLine(message));
  }
}

/**
 * Asks once whether the API is there and knows at least one of the keys.
 * @throws PreflightError in one sentence: what was tried, what came, what to do
 */
export async function preflight(deployment: Deployment, client: Client, signal?: AbortSignal): Promise<void> {
  const probes = (['listLabels', 'getHealth', 'getConversationContext'] satisfies OperationId[]).filter(
    (id) => deployment.operation(id) !== undefined,
  );
  const [probe, ...others] = probes;
  if (probe === undefined)
    throw new PreflightError('the target file sets every operation to null: nothing is left to check');
  const found = keyFor(deployment, {});
  if ('missing' in found) throw new PreflightError(`the target file lacks ${found.missing}`);

  const params = { id: deployment.tenant.conversations?.open ?? '00000000-0000-4000-8000-000000000000' };
  const ask = (as: typeof found.key, id = probe) => client.call(id, as, { params, unpaced: true }, signal);
  const reply = await ask(found.key).catch((error: unknown) => {
    if (error instanceof TransportError) throw new PreflightError(unreachable(deployment.baseUrl, error));
    throw error;
  });
  if (reply.status === 429 || reply.status >= 500) return;
  if (reply.json === undefined) throw new PreflightError(notJson(deployment.baseUrl, reply));
  if (isNowhere(reply)) {
    // One missing endpoint is a fault to be reported; where none of the documented ones is there, this is not the API.
    for (const id of others) if (!isNowhere(await ask(found.key, id))) return;
    throw new PreflightError(
      `${deployment.baseUrl}: none of ${probes.join(', ')} is there, ${reply.what} answered ${reply.status}; is baseUrl the address of the API, without /v1 and with any prefix that it has?`,
    );
  }
  if (reply.status !== 403 && reply.status !== 401) return;

  // One refused key may be a fault to be reported; where all are, there is no way in, and nothing to judge.
  for (const key of deployment.tenant.keys.filter(({ revoked }) => !revoked)) {
    const other = await ask({ ...key, tenant: deployment.tenant.name });
    if (other.status !== reply.status) return;
  }
  throw new PreflightError(
    `${deployment.baseUrl}: every key of tenant ${deployment.tenant.name} is refused with ${reply.status}; check the secrets, the base URL, and that no proxy in between removes the x-api-key header`,
  );
}

const isNowhere = ({ status }: Reply) => status === 404 || status === 405;

const remedies: Readonly<Record<TransportProblem, string>> = {
  dns: 'the host name is not known; check baseUrl and the DNS of this machine',
  refused: 'nothing listens there; check host and port of baseUrl, and that the service runs',
  tls: 'the TLS connection failed; check the certificate, and NODE_EXTRA_CA_CERTS for a private authority',
  reset: 'the connection was closed; check that baseUrl has the right scheme, http or https',
  timeout: 'no reply in time; check the network, or give a longer --timeout',
  aborted: 'interrupted before anything was checked',
  unusable: 'the reply is nothing that this API would send; check that baseUrl is the address of the API',
  other: 'the request failed',
};

function unreachable(baseUrl: string, { problem, message }: TransportError): string {
  return `${baseUrl}: ${remedies[problem]} (${message})`;
}

function notJson(baseUrl: string, { status, headers, what }: Reply): string {
  const type = headers['content-type'] ?? 'no Content-Type';
  return `${baseUrl}: ${what} answered ${status} with ${type} that is not JSON; is baseUrl the address of the API, without /v1, and not of a web page or a proxy in front of it?`;
}
