import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { createRouter } from '../../spec/routes.ts';
import type { Json } from './contract-client.ts';

const document = parse(readFileSync(new URL('../control/openapi.yaml', import.meta.url), 'utf8')) as Json;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv, ['date-time']);
ajv.addSchema({ $id: 'control', ...document });

/** Every operation of `openapi.yaml`, its path under `/_mock`. */
export const controlOperations: readonly { id: string; method: string; path: string; responses: Json }[] =
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { operationId: id, responses }]) => ({
      id,
      method: method.toUpperCase(),
      path: `/_mock${path}`,
      responses,
    })),
  );

const router = createRouter(controlOperations);
const byId = new Map(controlOperations.map((operation) => [operation.id, operation]));

/** For tests: calls the control API over HTTP and throws at any reply that `openapi.yaml` does not declare. */
export function controlClient(url: string) {
  const called = new Set<string>();
  return {
    /** Ids of the operations that have answered with success. */
    called,
    async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(`${url}/_mock${path}`, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const answer = {
        status: response.status,
        headers: response.headers,
        text,
        body: (isJson ? JSON.parse(text) : undefined) as Json,
      };
      const match = router.match(method, `/_mock${path.split('?', 1)[0]}`);
      if (match.kind === 'found') {
        checkReply(match.id, answer.status, isJson ? answer.body : undefined, text);
        if (response.ok) called.add(match.id);
      }
      return answer;
    },
  };
}

function checkReply(id: string, status: number, body: unknown, text: string): void {
  const { method = '', path = '', responses } = byId.get(id) ?? {};
  const response = responses?.[status];
  if (response === undefined) throw new Error(`${id} answered ${status}, which it does not declare: ${text}`);
  const own = `#/paths/${path.slice('/_mock'.length).replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`;
  const at = response.$ref ?? own;
  const { content } = response.$ref ? document.components.responses[at.split('/').at(-1)] : response;
  if (content === undefined && text !== '') throw new Error(`${id} answered ${status} with a body: ${text}`);
  if (content?.['application/json'] === undefined || body === undefined) return;
  const validate = ajv.getSchema(encodeURI(`control${at}/content/application~1json/schema`));
  if (validate?.(body) !== true)
    throw new Error(`${id} ${status} is not as openapi.yaml has it: ${ajv.errorsText(validate?.errors)}\n${text}`);
}
