import type { OperationId } from '../../spec/operations.ts';
import { validatePathParams } from '../../spec/validators.ts';
import { Refusal, type RefusalCase } from '../refusal.ts';

/** @throws Refusal naming a path parameter that has the wrong format */
export function checkPathParameters(id: OperationId, params: Readonly<Record<string, string>>): void {
  const [problem] = validatePathParams(id, params) ?? [];
  if (problem === undefined) return;
  throw new Refusal(caseOf(id, problem.field), `${problem.message}.`);
}

function caseOf(id: OperationId, field: string): RefusalCase {
  if (field === 'path.labelId') return 'malformed-label-id';
  if (field === 'path.clientId' || id === 'getClient') return 'malformed-client-id';
  return 'malformed-conversation-id';
}
