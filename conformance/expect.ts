import { Inconclusive, Unexpected } from './outcome.ts';
import { hasValue, type Reply, succeeded, valuesOf } from './reply.ts';
import type { Deployment } from './target/deployment.ts';

/** Expectations of checks. Of a planned reply everything holds: nothing was sent. */

/** @throws Unexpected unless the status is one of those. @param why the rule in a few words. */
export function expectStatus(reply: Reply, allowed: readonly number[], why: string): void {
  if (!reply.planned && !allowed.includes(reply.status))
    throw new Unexpected(`${why}: ${listed(allowed)}`, statusOf(reply));
}

/**
 * @param how `final` where it is not to be asked for again
 * @throws Unexpected when the condition does not hold.
 */
export function expectThat(
  reply: Reply,
  holds: boolean,
  expected: string,
  observed: string,
  how?: { readonly final: boolean },
): void {
  if (!reply.planned && !holds) throw new Unexpected(expected, `${reply.what}: ${observed}`, how);
}

/**
 * A 2xx where everything that is asked is legal. Where method, path or scopes are only assumed, a refusal that they
 * would explain says nothing about the rule.
 * @throws Inconclusive in that case, Unexpected otherwise
 */
export function expectSuccess(reply: Reply, deployment: Deployment, why: string): void {
  if (reply.planned || succeeded(reply)) return;
  const operation = deployment.operations.find(({ id }) => id === reply.exchange.operationId);
  if (operation?.provenance.address !== 'documented' && [404, 405].includes(reply.status)) {
    throw new Inconclusive(
      `${statusOf(reply)}: the specification does not show this method and path; give operations.${operation?.id} in the target file`,
    );
  }
  if (operation?.provenance.scopes !== 'documented' && reply.status === 403) {
    throw new Inconclusive(
      `${statusOf(reply)}: the scopes of this operation are assumed; give operations.${operation?.id}.scopes in the target file`,
    );
  }
  throw new Unexpected(`${why}: a 2xx`, statusOf(reply));
}

/** A client error: whatever is refused is refused with a 4xx. @throws Unexpected otherwise. */
export function expectRefusal(reply: Reply, why: string): void {
  if (!reply.planned && (reply.status < 400 || reply.status > 499))
    throw new Unexpected(`${why}: a 4xx`, statusOf(reply));
}

/** The control of a pair: without its success the other half of the pair says nothing. @throws Inconclusive. */
export function expectControl(reply: Reply, what: string): void {
  if (!reply.planned && !succeeded(reply)) throw new Inconclusive(`the control failed: ${what}: ${statusOf(reply)}`);
}

/** Whether the reply carries the label, by id or by name, wherever it stands. */
export function carries(reply: Reply, label: { readonly id: string; readonly name?: string | undefined }): boolean {
  return hasValue(reply, label.id) || (label.name !== undefined && hasValue(reply, label.name));
}

/** In how many items of one array the value stands: a set has it once. */
export function timesInOneArray(reply: Reply, wanted: string): number {
  let most = 0;
  for (const [, value] of valuesOf(reply.json)) {
    if (!Array.isArray(value)) continue;
    const items = value.filter((item) => [...valuesOf(item)].some(([, inner]) => inner === wanted));
    most = Math.max(most, items.length);
  }
  return most;
}

/** `GET /v1/labels (listLabels) answered 404 {"error":...}`, with a short piece of the body. */
export function statusOf(reply: Reply): string {
  const body = reply.exchange.replyBody ?? '';
  return `${reply.what} answered ${reply.status}${body === '' ? '' : ` ${body.length > 160 ? `${body.slice(0, 160)}…` : body}`}`;
}

const listed = (statuses: readonly number[]) => statuses.join(' or ');
