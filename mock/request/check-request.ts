import { requestValidators } from '../../spec/generated/request-validators.js';
import { jsonExtent } from '../../spec/json-extent.ts';
import { type OperationId, operations } from '../../spec/operations.ts';
import { problemsOf } from '../../spec/validation-problem.ts';
import { type ApiRequest, bytesOf } from '../message.ts';
import type { Permitted } from '../profile/behaviour.ts';
import { Refusal, type RefusalCase, refuse } from '../refusal.ts';

/**
 * @param permits cases that are not refused
 * @throws Refusal naming a path parameter that has the wrong format
 */
export function checkPathParameters(
  id: OperationId,
  params: Readonly<Record<string, string>>,
  permits: Permitted = {},
): void {
  const problems = problemsOf(requestValidators[id].path, 'path', params);
  const problem = problems?.find(({ field }) => permits[idCase(id, field)] === undefined);
  if (problem === undefined) return;
  throw new Refusal(idCase(id, problem.field), `${problem.message}.`);
}

function idCase(id: OperationId, field: string): RefusalCase {
  if (field === 'path.labelId') return 'malformed-label-id';
  if (field === 'path.clientId' || operations[id].path.startsWith('/v1/client/')) return 'malformed-client-id';
  return 'malformed-conversation-id';
}

/**
 * Reads a whole body up to a limit. A larger body is refused as soon as its length is known, and never kept in memory.
 * @param limit in bytes; exactly that many are allowed
 * @throws Refusal `too-large`, or `incomplete-body` if the client closed the connection
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  announced: string | undefined,
  limit: number,
): Promise<Uint8Array> {
  const tooLarge = new Refusal(
    'too-large',
    `The request body is larger than ${limit} bytes. Send files to an upload URL instead (POST /v1/site/{id}/file/upload-url).`,
  );
  if (Number(announced) > limit) throw tooLarge;
  return bytesOf(body, limit, tooLarge).catch((error) => {
    if (error === tooLarge) throw error;
    throw new Refusal('incomplete-body', 'The connection ended before the whole body had arrived.');
  });
}

/** No JSON of the API is nested deeper. Nine megabytes of brackets would keep a parser busy for seconds. */
const maxDepth = 100;

/**
 * Why a JSON text would take far more time or memory than its size suggests, found without parsing it. Null if it would not.
 * @param maxValues how many values all its lists and objects may have together
 */
export function tooMuchJson(text: Uint8Array, maxValues: number = Number.POSITIVE_INFINITY): string | null {
  const { depth, values } = jsonExtent(text, maxDepth);
  if (depth > maxDepth) return `nested more than ${maxDepth} deep`;
  return values > maxValues ? `more than ${maxValues} values` : null;
}

/**
 * Parses the JSON body of an operation and checks it against the contract.
 * @param permits cases that are not refused
 * @throws Refusal naming a field that is wrong
 */
export function parseJsonBody(
  id: OperationId,
  { 'content-type': contentType, 'content-encoding': encoding = '' }: ApiRequest['headers'],
  bytes: Uint8Array | null,
  permits: Permitted = {},
): unknown {
  const empty = bytes === null || bytes.length === 0;
  if (empty && contentType === undefined) refuse('malformed-json', 'body: a JSON body is required.');
  if (!isJson(contentType) && permits['not-json'] === undefined) {
    const sent = contentType === undefined ? 'no Content-Type' : `Content-Type: ${contentType}`;
    refuse('not-json', `body: was sent with ${sent}; send application/json in UTF-8.`);
  }
  // RFC 9110, section 8.4: a server that does not read an encoding says which it reads.
  if (!/^(?:identity)?$/i.test(encoding.trim())) {
    const message = `body: was sent with Content-Encoding: ${encoding.slice(0, 20)}; send it without an encoding.`;
    throw new Refusal('not-json', message, { headers: { 'accept-encoding': 'identity' } });
  }
  const body = parse(bytes ?? new Uint8Array());
  const [problem] = problemsOf(requestValidators[id].body, 'body', body) ?? [];
  if (problem !== undefined) throw new Refusal(caseOf(problem), `${problem.message}.`);
  return body;
}

/** Allows `application/json` and `application/*+json` in UTF-8, the only encoding for JSON between systems. */
function isJson(contentType = ''): boolean {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return /^application\/([\w.-]+\+)?json$/.test(type) && (charset === undefined || /^"?utf-8"?$/.test(charset));
}

function parse(bytes: Uint8Array): unknown {
  const problem = tooMuchJson(bytes);
  if (problem !== null) refuse('malformed-json', `body: ${problem}.`);
  try {
    return JSON.parse(strictUtf8.decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'not valid UTF-8';
    return refuse('malformed-json', `body: not valid JSON (${why}).`);
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function caseOf({ field, keyword }: { field: string; keyword: string }): RefusalCase {
  if (keyword === 'additionalProperties') return 'additional-property';
  if (keyword === 'required' && field === 'body.contentType') return 'missing-content-type';
  if (keyword === 'minLength' && field === 'body.contentType') return 'empty-content-type';
  if (keyword === 'type') return 'wrong-json-type';
  if (keyword === 'required') return 'missing-file-key';
  return 'malformed-file-key';
}
