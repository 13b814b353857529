import { isDeepStrictEqual } from 'node:util';
import type { ApiReply } from '../../../mock/index.ts';
import { defaultSeeds } from '../../../mock/seed/generated/tenants.ts';
import { operations } from '../../../spec/operations.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { uuid } from '../../../spec/text/uuid.ts';
import { type Exchange, isObject, refused, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy, deploymentIn } from '../../laws/judging/asked.ts';
import { type Holder, holderKey, labelWriteOf } from '../../target/holder.ts';
import { sparesOf, tenantsOf } from '../../target/records.ts';
import { usesOf } from '../../verdict/limiter/limiter.ts';
import { laxIn, missingIn, sampleOf } from '../../verdict/limiter/runs.ts';
import { withRandom } from './with-random.ts';

/** An answer that a correct deployment in the same state would not have given. */
interface Difference {
  readonly at: number;
  readonly url: string;
  readonly answer: ApiReply;
  /** Null where the request was turned away, and the correct deployment was not asked. */
  readonly correct: ApiReply | null;
}

/**
 * An undamaged deployment that is asked the same at the same times. Both draw the same random ids, so their answers are equal until the
 * damage shows. A run has met a defect if an answer says something else.
 */
export class Twin {
  readonly differences: Difference[] = [];
  #asked = 0;

  /** @param passed whether the deployment carried the request out; if not, a wrapper answered in its place */
  async compare(
    { at, url }: Pick<Difference, 'at' | 'url'>,
    ask: () => ApiReply | Promise<ApiReply>,
    askTwin: () => ApiReply | Promise<ApiReply>,
    passed: () => boolean,
  ): Promise<ApiReply> {
    const seed = ++this.#asked;
    const answer = await withRandom(seed, ask);
    const { status } = answer;
    // What was turned away has changed nothing, so the twin must not carry it out either.
    const turnedAway = (status >= 500 || status === 429) && !passed();
    const correct = turnedAway ? null : await withRandom(seed, askTwin);
    const isEqual = correct !== null && isDeepStrictEqual(said(answer, url), said(correct, url));
    if (!isEqual && !isPlainFailure(answer, url)) this.differences.push({ at, url, answer, correct });
    return answer;
  }

  /** Runs a hook with both. What only the product shows is no reply. */
  async both<T>(ask: () => T, askTwin: () => T): Promise<T> {
    const seed = ++this.#asked;
    await withRandom(seed, askTwin);
    return withRandom(seed, ask);
  }

  /** Differences that neither another order of concurrent writes nor a lawful limiter explains, and that the contract does not leave open. */
  metIn(history: History): Difference[] {
    const { exchanges } = history;
    return this.differences.filter(({ at, url, answer, correct }) => {
      // Queries may be redacted.
      const isIt = (one: Exchange) => pathOf(one.url).endsWith(pathOf(url)) && one.sentAt <= at && at <= one.doneAt;
      const shown = exchanges.find(isIt);
      if (shown === undefined) return true;
      if (isThrottling(answer, url) !== isThrottling(correct, url)) return isOffLimit(shown, history);
      if (correct === null) return true;
      if (isOpen(shown, history) && correct.status >= 400) return false;
      const { labels, ...rest } = said(answer, url);
      const { labels: correctLabels, ...correctRest } = said(correct, url);
      const holder = holderShownBy(shown);
      if (!isDeepStrictEqual(rest, correctRest) || holder === undefined) return true;
      const spares = tenantsOf(deploymentIn(history)).flatMap(sparesOf);
      // A context shows names.
      const wordsOf = (id: string) => [id, ...spares.flatMap((one) => (one.id === id ? JSON.stringify(one.name) : []))];
      const concurrent = exchanges.flatMap((one) => {
        const other = labelWriteOf(one.operation, one.params);
        const isSame = other && one !== shown && holderKey(other.holder) === holderKey(holder);
        return isSame && one.sentAt < shown.doneAt && shown.sentAt < one.doneAt ? wordsOf(other.label) : [];
      });
      const differing = [...labels, ...correctLabels].filter((one) => !labels.has(one) || !correctLabels.has(one));
      return differing.some((label) => !concurrent.some((words) => label.includes(words)));
    });
  }
}

const pathOf = (url: string) => url.split('?')[0] ?? url;

/** The holder whose labels a reply shows. */
function holderShownBy({ operation, params }: Exchange): Holder | undefined {
  if (operation !== 'getConversationContext') return labelWriteOf(operation, params)?.holder;
  return { kind: 'conversation', id: params.id ?? '' };
}

const isThrottling = (answer: ApiReply | null, url: string) =>
  answer?.status === 429 && 'retry-after' in answer.headers && textsIn(answer.body, url).length === 0;

/** Whether no bucket of the declared limit admits what this key got. What is sent without a valid key, a gateway may throttle as it likes. */
function isOffLimit({ key, credential }: Exchange, history: History): boolean {
  const use = usesOf(history).find((one) => one.key === key);
  if (credential !== 'key' || use === undefined) return false;
  const { exchanges, limit, runs } = use;
  return laxIn(exchanges.map(sampleOf), limit) !== undefined || runs.some((run) => missingIn(run, limit) > 0);
}

/**
 * Whether the contract leaves the reply open: a refusal of an id that no record has, or a record of the key's own tenant. It does not say how
 * ids of another form or spelling are answered, by which 4xx a label or a fileKey of somebody else or of nobody is refused, what other paths do for a key that
 * may ask the same, and when a secret that was replaced stops working.
 */
function isOpen(shown: Exchange, history: History): boolean {
  const { record, label, tenant, targetKey, authenticates, lacks } = askedBy(shown, history);
  const isRefusal = shown.status !== null && shown.status >= 400 && shown.status < 500;
  const isOthers = record !== 'ours' || (label !== null && label !== 'spare');
  if (isRefusal && isOthers && authenticates && lacks.length === 0 && labelWriteOf(shown.operation, shown.params))
    return true;
  if (isRefusal && shown.operation === 'registerSiteFile' && authenticates && lacks.length === 0) return true;
  if (isRefusal && (shown.operation === null || shown.twist?.startsWith('path/'))) return true;
  const meant = shown.facts?.operation;
  if (shown.operation === null && shown.credential === 'key' && meant !== undefined)
    return operations[meant].scopes.every((scope) => targetKey?.scopes.includes(scope));
  const { labelId } = shown.params;
  const isOdd =
    record === 'malformed' ||
    (labelId !== undefined && !uuid.test(labelId)) ||
    Object.values(shown.params).some((id) => !/^[\w-]{1,64}$/.test(id));
  const isOwn = (one: Exchange) => one.body === shown.body && askedBy(one, history).lawful;
  return (
    (isOdd || shown.credential === 'replaced') &&
    (refused(shown) || history.exchanges.some((one) => isOwn(one) && askedBy(one, history).tenant === tenant))
  );
}

/** Texts of records. Messages and headers may contain plain words, and texts of the request. */
const texts = new Set(
  [...valuesOf(defaultSeeds)].flatMap(([, value]) =>
    typeof value === 'string' && value.length > 5 && /[^a-z]/.test(value) ? [value] : [],
  ),
);
const textsIn = (text: unknown, url: string) =>
  [...texts].filter((one) => String(text).includes(one) && !decodedUrl(url).includes(one));

const decodedUrl = (url: string) => url.replace(/%[0-7][0-9a-f]/gi, (code) => decodeURIComponent(code));

/** What an answer says, without what the contract leaves open. Labels are apart, in any order. */
function said({ status, headers, body }: ApiReply, url: string) {
  const { 'content-type': type, 'retry-after': after, ...others } = headers;
  const json = jsonOrUndefined(body ?? '');
  const { labels, error, uploadUrl, ...fields } = isObject(json) ? json : ({} as Readonly<Record<string, unknown>>);
  const listed = Array.isArray(labels) ? labels.map((one) => JSON.stringify(one)) : [];
  return {
    labels: new Set(listed),
    answer: [
      status,
      type,
      after,
      textsIn(JSON.stringify(others), url),
      isObject(json) ? fields : body,
      shapeOf(uploadUrl),
    ],
    repeated: listed.length - new Set(listed).size,
    error: isObject(error) ? { ...error, message: [typeof error.message, ...textsIn(error.message, url)] } : error,
  };
}

/** What an upload URL says to a client, for which its path is opaque. */
function shapeOf(uploadUrl: unknown): unknown {
  if (typeof uploadUrl !== 'string' || !URL.canParse(uploadUrl)) return uploadUrl;
  const { origin, pathname, searchParams } = new URL(uploadUrl);
  return [origin, pathname.split('/').at(-1), [...searchParams.keys()]];
}

/** A 5xx with the body of an error, or with that of a gateway. It is documented as possible at any request. */
function isPlainFailure({ status, body }: ApiReply, url: string): boolean {
  if (status < 500 || textsIn(body, url).length > 0) return false;
  const json = jsonOrUndefined(body ?? '');
  const { code, message } = isObject(json) && isObject(json.error) ? json.error : { code: '', ...Object(json) };
  return typeof code === 'string' && typeof message === 'string';
}
