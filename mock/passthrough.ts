import { ConfigurationError } from '../spec/files/configuration-error.ts';
import type { Target } from '../spec/files/target.ts';
import type { ApiReply, ApiRequest } from './message.ts';
import type { Trace } from './trace.ts';

/**
 * A deployment that answers what the mock does not know, as a target file describes it: nothing is sent to another origin, and no redirect is
 * followed. Its keys are also keys of the mock's tenants of the same names.
 */
export type PassthroughTarget = Pick<Target, 'baseUrl'> & Partial<Pick<Target, 'headers' | 'tls' | 'tenants'>>;

/** A deployment with what sends requests to it. */
export type Deployment = PassthroughTarget & {
  /** Sends a request with the key that the client sent. Never throws: a deployment that does not answer is a 502 or a 504. */
  send(request: Pick<ApiRequest, 'method' | 'url' | 'headers'>, body: Uint8Array | null): Promise<ApiReply>;
};

/** Whether requests can be sent to it. */
export const isDeployment = (target: string | PassthroughTarget): target is Deployment =>
  typeof target === 'object' && 'send' in target;

/** Refusals because the mock has no such key, operation or record. What it knows and refuses stays refused. */
const unknown = /^(?:unknown-.*|malformed-.*-id|wrong-method)$/;

/** A path of the API, also where a client resolves its `..`: nothing beside the API is asked with the key of the user. */
const isBelowV1 = (url: string) =>
  /^\/v1(?:[/?]|$)/.test(url) && /^\/v1(?:\/|$)/.test(new URL(url, 'http://mock').pathname);

/** Whether a request that the mock has refused goes to the deployment. A refused request has changed nothing. */
export const goesThrough = ({ url }: ApiRequest, { refused }: Trace): boolean =>
  unknown.test(refused ?? '') && isBelowV1(url);

/** @throws ConfigurationError if the mock sends requests on, where others than this machine could send them to it */
export function refusePassthrough({ passesTo }: { readonly passesTo: string | undefined }, where: string): void {
  if (passesTo === undefined) return;
  throw new ConfigurationError([
    `passthrough: a mock that sends requests to ${passesTo} must listen on 127.0.0.1 by itself (\`mock.listen()\`), not ${where}`,
  ]);
}
