import type { Profile } from '../../spec/files/profile-schema.ts';
import type { OperationId } from '../../spec/operations.ts';
import { type ApiReply, json } from '../message.ts';
import { errorCode, errorReply, type Refusal, type RefusalCase, refusals } from '../refusal.ts';
import { changedBody } from './body-changes.ts';

/** The reply to one case. Without a code, the default code of the status is used. */
type Answer = NonNullable<NonNullable<Profile['upload']>['registerTwice']>;

/** The replies to refusals, with the changes of a profile. */
export function refusalReplies({ errors = {}, upload = {}, errorBody }: Profile) {
  const answers: Readonly<Partial<Record<RefusalCase, Answer>>> = {
    ...errors,
    'register-twice': upload.registerTwice,
    'register-before-put': upload.registerBeforePut,
  };

  return (refusal: Refusal, id: OperationId | null): ApiReply => {
    const [usual] = refusals[refusal.case];
    const answer: Answer = answers[refusal.case] ?? { status: usual };
    const status = statusFor(answer, refusal.case, id);
    // Allow belongs to a 405 (RFC 9110, 10.2.1).
    const headers = status === usual ? refusal.more.headers : undefined;
    if (answer.body === 'message') {
      // A gateway refuses before the service runs, with a body of its own form.
      const message = answer.message ?? (status === 403 ? 'Forbidden' : refusal.message);
      return json(status, { message }, headers);
    }
    const code = (status === answer.status ? answer.code : undefined) ?? errorCode(status);
    const reply = errorReply(status, code, answer.message ?? refusal.message, headers);
    if (errorBody === undefined) return reply;
    return { ...reply, body: JSON.stringify(changedBody(JSON.parse(reply.body ?? '{}'), errorBody)) };
  };
}

/** The specification gives 404 to the start of an upload for a missing or foreign site, even if the profile says otherwise. */
function statusFor({ status }: Answer, refusalCase: RefusalCase, id: OperationId | null): number {
  const isSite = refusalCase === 'unknown-site' || refusalCase === 'foreign-site';
  return isSite && id === 'startSiteFileUpload' ? 404 : status;
}
