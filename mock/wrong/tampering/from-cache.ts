import { type Answered, onReply, type Scene } from './tamper.ts';
import { isAnswered, type When } from './when.ts';

interface Cache {
  /** Replies that are kept, by their URL. */
  readonly keeps: When;
  /** Requests that are answered with a kept reply. */
  readonly answers: When;
  /** How long a reply is kept. */
  readonly milliseconds?: number;
  /** Answers a tenant only with the replies to others. */
  readonly acrossTenants?: true;
}

/** Answers some requests with an earlier reply to the same URL. */
export const fromCache =
  ({ keeps, answers, milliseconds = Number.POSITIVE_INFINITY, acrossTenants }: Cache) =>
  (scene: Scene) => {
    const kept = new Map<string, Pick<Answered, 'reply' | 'key'> & { readonly at: number }>();
    return onReply((answered) => {
      const { request, reply, key, mock } = answered;
      const at = mock.clock.now();
      const earlier = kept.get(request.url);
      const isFresh = earlier !== undefined && at - earlier.at <= milliseconds;
      const isOthers = !acrossTenants || earlier?.key?.tenant !== key?.tenant;
      if (isFresh && isOthers && isAnswered(answers, answered)) return earlier.reply;
      if (isAnswered(keeps, answered)) kept.set(request.url, { at, reply, key });
      return undefined;
    })(scene);
  };
