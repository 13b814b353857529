import { ConfigurationError } from '../spec/files/configuration-error.ts';
import type { ApiReply, ApiRequest } from './message.ts';
import type { Trace } from './trace.ts';

/** A deployment that answers what the mock does not know. A target file, once it is read, is one. */
export interface PassthroughTarget {
  /** Where the API is, without /v1. Nothing is sent to another origin, and no redirect is followed. */
  readonly baseUrl: string;
  /** Headers of every request, for a gateway in front of the API. */
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM texts: a private authority, and the certificate and the key of this client. */
  readonly tls?: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>> | undefined;
  /** Keys of the deployment. The mock takes them for keys of its tenants of the same names. */
  readonly tenants?: readonly {
    readonly name: string;
    readonly keys: readonly DeployedKey[];
  }[];
}

/** A key as in a target file. */
export interface DeployedKey {
  readonly name: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  readonly revoked: boolean;
}

/** A deployment with what sends requests to it. */
export interface Deployment extends PassthroughTarget {
  /** Sends a request with the key that the client sent. Never throws: a deployment that does not answer is a 502 or a 504. */
  send(request: Pick<ApiRequest, 'method' | 'url' | 'headers'>, body: Uint8Array | null): Promise<ApiReply>;
}

/** Whether requests can be sent to it. */
export const isDeployment = (target: string | PassthroughTarget): target is Deployment =>
  typeof target === 'object' && 'send' in target;

/** Refusals because the mock has no such key, operation or record. What it knows and refuses stays refused. */
const unknown: ReadonlySet<Trace['refused']> = new Set([
  'unknown-key',
  'unknown-path',
  'wrong-method',
  'malformed-label-id',
  'malformed-conversation-id',
  'malformed-client-id',
  'unknown-conversation',
  'unknown-site',
  'unknown-client',
  'unknown-link',
  'unknown-label',
  'unknown-file-key',
] as const);

/** A path of the API, also where a client resolves its `..`: nothing beside the API is asked with the key of the user. */
const isBelowV1 = (url: string) =>
  /^\/v1(?:[/?]|$)/.test(url) && /^\/v1(?:\/|$)/.test(new URL(url, 'http://mock').pathname);

/** Whether a request that the mock has refused goes to the deployment. A refused request has changed nothing. */
export const goesThrough = ({ url }: ApiRequest, { refused }: Trace): boolean => unknown.has(refused) && isBelowV1(url);

/** @throws ConfigurationError if the mock sends requests on, where others than this machine could send them to it */
export function refusePassthrough({ passesTo }: { readonly passesTo: string | undefined }, where: string): void {
  if (passesTo === undefined) return;
  throw new ConfigurationError([
    `passthrough: a mock that sends requests to ${passesTo} must listen on 127.0.0.1 by itself (\`mock.listen()\`), not ${where}`,
  ]);
}
