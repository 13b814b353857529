import type { RefusalCase } from '../../../spec/files/profile-schema.ts';
import { storageReason } from '../../../spec/text/storage-reason.ts';
import { type Exchange, isObject, jsonOf } from '../../history/exchange.ts';
import type { ProfilePatch } from '../../profile-patch.ts';

/** What is wrong with the body of an error reply, in words; null where it is a correct error body. */
export function errorBodyFault(exchange: Exchange): string | null {
  const json = jsonOf(exchange);
  if (json === undefined) return (exchange.body ?? '').trim() === '' ? 'an empty body' : 'a body that is not JSON';
  if (!isObject(json)) return 'JSON that is not an object';
  const { error } = json;
  if (!isObject(error)) return error === undefined ? 'no error' : 'error is not an object';
  for (const name of ['code', 'message']) {
    const value = error[name];
    if (value === undefined) return `no error.${name}`;
    if (typeof value !== 'string') return `error.${name} is not a string: ${JSON.stringify(value).slice(0, 60)}`;
    if (value === '') return `error.${name} is empty`;
  }
  return null;
}

/** Whether the body is `{"message": ...}`, which gateways send before the service has seen the request. */
export function isGatewayBody(exchange: Exchange): boolean {
  const json = jsonOf(exchange);
  return isObject(json) && typeof json.message === 'string' && json.error === undefined;
}

/** `error.code`; undefined where there is none. */
export function errorCode(exchange: Exchange): string | undefined {
  const json = jsonOf(exchange);
  const error = isObject(json) && isObject(json.error) ? json.error : {};
  return typeof error.code === 'string' && error.code !== '' ? error.code : undefined;
}

/** A refusal as part of the profile. */
export function refusalPatch(refusal: RefusalCase, exchange: Exchange): ProfilePatch {
  const code = errorCode(exchange);
  const body = isGatewayBody(exchange) ? 'message' : 'error';
  return { errors: { [refusal]: { status: exchange.status ?? 400, ...(code !== undefined && { code }), body } } };
}

/** A reply in a few words: `404 NOT_FOUND`. */
export const answerOf = (exchange: Exchange): string =>
  exchange.status === null
    ? (exchange.failure ?? 'no reply')
    : [
        exchange.status,
        exchange.operation === 'storage' ? storageReason(exchange.body ?? '') : (errorCode(exchange) ?? []),
      ]
        .flat()
        .join(' ');
