import type { Profile } from '../../spec/files/profile-schema.ts';
import type { OperationId } from '../../spec/operations.ts';
import { type ApiReply, json } from '../message.ts';
import { errorCode, errorReply, type Refusal, type RefusalCase, refusals } from '../refusal.ts';

/** How one case is refused; without a code, the usual one of the status. */
interface Answer {
  readonly status: number;
  readonly code?: string | undefined;
  readonly body?: 'error' | 'message' | undefined;
}

/** The replies to refusals, as one deployment has them. */
export function refusalReplies({ errors = {}, upload = {} }: Profile) {
  const answers: Readonly<Record<RefusalCase, Answer>> = {
    ...refusals,
    ...errors,
    ...(upload.registerTwice && { 'register-twice': upload.registerTwice }),
    ...(upload.registerBeforePut && { 'register-before-put': upload.registerBeforePut }),
  };

  return (refusal: Refusal, id: OperationId | null): ApiReply => {
    const answer = answers[refusal.case];
    const status = statusFor(answer, refusal.case, id);
    if (answer.body === 'message') {
      // A gateway answers before the service, in a body of its own form.
      return json(status, { message: status === 403 ? 'Forbidden' : refusal.message }, refusal.headers);
    }
    const code = (status === answer.status ? answer.code : undefined) ?? errorCode(status);
    return errorReply(status, code, refusal.message, refusal.headers);
  };
}

/** Starting an upload for a site that is missing or not accessible is 404 by the specification, whatever others answer. */
function statusFor({ status }: Answer, refusalCase: RefusalCase, id: OperationId | null): number {
  const isSite = refusalCase === 'unknown-site' || refusalCase === 'foreign-site';
  return isSite && id === 'startSiteFileUpload' ? 404 : status;
}
