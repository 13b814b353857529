import type { Environment } from '../../conformance/client/environment.ts';
import { type HttpReply, TransportError } from '../../conformance/client/http.ts';
import { nodeEnvironment } from '../../conformance/client/node-environment.ts';
import { deploymentOf } from '../../conformance/target/deployment.ts';
import type { Target } from '../../spec/files/target.ts';
import { terminalLine } from '../../spec/text/terminal-text.ts';
import { type Finding, ok, toDo } from './examine-machine.ts';

type TargetKey = Target['tenants'][number]['keys'][number];

/**
 * Whether the deployment of a target file can be reached, accepts the keys, and has the right time. Sends one reading request
 * with each key.
 * @param now milliseconds since 1970
 */
export async function examineTarget(
  target: Target,
  now: () => number = Date.now,
  timeoutMilliseconds = 10_000,
): Promise<Finding[]> {
  const { baseUrl, operation, clockSkewSeconds } = deploymentOf(target);
  const probe = operation('listLabels') ?? operation('getHealth');
  if (probe === undefined)
    return [toDo('keys', 'cannot be tried: the target file sets listLabels and getHealth to null')];
  const url = baseUrl + probe.path;
  const findings: Finding[] = [];
  const environment = nodeEnvironment(target);
  using _ = { [Symbol.dispose]: environment.close };
  const ask = asker(environment, url, probe.method, timeoutMilliseconds);
  for (const tenant of target.tenants) {
    for (const key of tenant.keys) {
      const reply = await ask(key);
      if (typeof reply === 'string')
        return [toDo('target', `${url} cannot be reached (${reply}): check baseUrl, network and proxy`)];
      if (findings.length === 0)
        findings.push(ok('target', `${baseUrl} answers`), skew(reply, now(), clockSkewSeconds));
      findings.push(judgeKey(`key ${tenant.name}/${key.name}`, key, reply.status));
    }
  }
  return findings;
}

/** Sends requests as the conformance runner does: it follows no redirect, which would pass the key on, and limits the size of replies. */
const asker =
  (environment: Environment, url: string, method: string, timeoutMilliseconds: number) =>
  async ({ secret }: TargetKey): Promise<HttpReply | string> => {
    const request = { method, url, headers: { 'x-api-key': secret }, body: null };
    try {
      return await environment.send(request, { timeoutMilliseconds });
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return terminalLine(error.message);
    }
  };

function judgeKey(what: string, { revoked }: TargetKey, status: number): Finding {
  const refused = status === 401 || status === 403;
  if (revoked) {
    return refused
      ? ok(what, `is revoked: ${status}`)
      : toDo(what, `is revoked in the target file, but got ${status}: check the secret`);
  }
  if (refused) return toDo(what, `got ${status}: check the secret, and that no proxy removes x-api-key`);
  if (status >= 300 && status < 400)
    return toDo(what, `got ${status}, a redirect, which is not followed: use the address it leads to as baseUrl`);
  if (status === 404) return toDo(what, 'got 404: check baseUrl (without /v1), or operations in the target file');
  if (status >= 500) return toDo(what, `got ${status}: the deployment has an error`);
  return ok(what, status === 429 ? 'works, and is over its rate limit at the moment' : 'works');
}

function skew(reply: HttpReply, now: number, allowed: number): Finding {
  const there = Date.parse(reply.headers.date ?? '');
  if (Number.isNaN(there)) return ok('clock', 'the deployment sends no Date header');
  // The Date header has whole seconds.
  const seconds = Math.round(Math.abs(now - there) / 1000);
  if (seconds <= allowed + 1) return ok('clock', `${seconds} s apart, ${allowed} s allowed`);
  return toDo(
    'clock',
    `${seconds} s apart, ${allowed} s allowed: correct a clock, or raise clockSkewSeconds in the target file`,
  );
}
