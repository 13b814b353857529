import { type Exchange, isObject, jsonOf } from '../history/exchange.ts';

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
