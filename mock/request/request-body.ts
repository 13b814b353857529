import type { OperationId } from '../../spec/operations.ts';
import { validateBody } from '../../spec/validators.ts';
import type { ApiRequest } from '../message.ts';
import { Refusal, type RefusalCase, refuse } from '../refusal.ts';
import { tooMuchJson } from './too-much-json.ts';

/**
 * Parses the JSON body of an operation and checks it against the contract.
 * @throws Refusal naming a field that is wrong
 */
export function parseJsonBody(
  id: OperationId,
  { 'content-type': contentType, 'content-encoding': encoding = '' }: ApiRequest['headers'],
  bytes: Uint8Array | null,
): unknown {
  const empty = bytes === null || bytes.length === 0;
  if (empty && contentType === undefined) refuse('malformed-json', 'body: a JSON body is required.');
  if (!isJson(contentType)) {
    const sent = contentType === undefined ? 'no Content-Type' : `Content-Type: ${contentType}`;
    refuse('not-json', `body: was sent with ${sent}; send application/json in UTF-8.`);
  }
  // RFC 9110, section 8.4: a server that does not read an encoding says which it reads.
  if (!/^(?:identity)?$/i.test(encoding.trim())) {
    const message = `body: was sent with Content-Encoding: ${encoding.slice(0, 20)}; send it without an encoding.`;
    throw new Refusal('not-json', message, { headers: { 'accept-encoding': 'identity' } });
  }
  const body = parse(bytes ?? new Uint8Array());
  const [problem] = validateBody(id, body) ?? [];
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
