import { expect, it } from 'vitest';
import type { Reply } from '../reply.ts';
import { errorBodyProblem, errorCode, isGatewayBody, refusalPatch } from './error-body.ts';

const refused = (status: number, json: unknown): Reply => ({ status, json, planned: false }) as Reply;

it.each([
  [{ error: { code: 'NOT_FOUND', message: 'No site 7.' } }, null],
  [{ error: { code: '', message: '', details: [] }, id: 1 }, null],
  [undefined, 'the body is not JSON'],
  [[], 'the body is not an object'],
  [null, 'the body is not an object'],
  [{ message: 'no' }, 'there is no error'],
  [{ error: 'no' }, 'error is not an object'],
  [{ error: [] }, 'error is not an object'],
  [{ error: { message: 'no' } }, 'there is no error.code'],
  [{ error: { code: 'NO' } }, 'there is no error.message'],
  [{ error: { code: 1, message: 'no' } }, 'error.code is not a string'],
  [{ error: { code: 'NO', message: null } }, 'error.message is not a string'],
])('%j: %s', (json, problem) => {
  expect(errorBodyProblem({ json })).toBe(problem);
});

it("tells a gateway's body from others", () => {
  expect(isGatewayBody({ json: { message: 'Forbidden' } })).toBe(true);
  expect(isGatewayBody({ json: { message: 1 } })).toBe(false);
  expect(isGatewayBody({ json: { message: 'no', error: {} } })).toBe(false);
  expect(isGatewayBody({ json: undefined })).toBe(false);
});

it('makes a refusal a part of the profile', () => {
  const error = { code: 'GONE', message: 'no' };
  expect(refusalPatch('unknown-site', refused(410, { error }))).toEqual({
    errors: { 'unknown-site': { status: 410, code: 'GONE', body: 'error' } },
  });
  expect(refusalPatch('no-key', refused(403, { message: 'Forbidden' }))).toEqual({
    errors: { 'no-key': { status: 403, body: 'message' } },
  });
  expect(refusalPatch('no-key', refused(200, {}))).toBeUndefined();
  expect(errorCode({ json: { error: { code: '' } } })).toBeUndefined();
});
