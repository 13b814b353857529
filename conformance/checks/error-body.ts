import type { RefusalCase } from '../../spec/files/profile-schema.ts';
import type { ProfilePatch } from '../profile-patch.ts';
import type { Reply } from '../reply.ts';

/** What is wrong with the body of an error reply, in words; null when it is the error body. */
export function errorBodyProblem({ json }: Pick<Reply, 'json'>): string | null {
  if (json === undefined) return 'the body is not JSON';
  if (!isRecord(json)) return 'the body is not an object';
  const { error } = json;
  if (!isRecord(error)) return error === undefined ? 'there is no error' : 'error is not an object';
  for (const name of ['code', 'message']) {
    if (error[name] === undefined) return `there is no error.${name}`;
    if (typeof error[name] !== 'string') return `error.${name} is not a string`;
  }
  return null;
}

/** `{"message": ...}`, as gateways answer before the service has seen the request. */
export const isGatewayBody = ({ json }: Pick<Reply, 'json'>): boolean =>
  isRecord(json) && typeof json.message === 'string' && json.error === undefined;

/** `error.code`; undefined where there is none. */
export function errorCode({ json }: Pick<Reply, 'json'>): string | undefined {
  const error = isRecord(json) ? json.error : undefined;
  const code = isRecord(error) ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** How this deployment refuses such a request, for its profile; nothing where it does not refuse it. */
export function refusalPatch(refusal: RefusalCase, reply: Reply): ProfilePatch | undefined {
  if (reply.planned || reply.status < 400 || reply.status > 599) return undefined;
  const code = errorCode(reply);
  const body = isGatewayBody(reply) ? 'message' : 'error';
  return { errors: { [refusal]: { status: reply.status, ...(code !== undefined && { code }), body } } };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
