import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { storageReason } from '../../spec/text/storage-reason.ts';
import { uploadWork } from '../plan/upload-work.ts';
import { flowsPerSecond, upload, uploadSizes } from '../scenarios/upload.ts';
import { admittedTarget, check, orAbort, orAbortPreflight, remedyFor, sendFor } from './flow.ts';
import type { Journey } from './journey.ts';
import { keyEnded, keyStarted, undecided } from './metrics.ts';
import { openTarget } from './open-target.ts';
import { optionsFor } from './options-for.ts';
import { pause } from './pause.ts';
import { type Answer, send } from './send.ts';
import { duration, keyNames } from './settings.ts';

const megabyte = 1024 * 1024;
/** 50 MB at 5 Mbit/s and some more. */
const putTimeoutMs = 120_000;

/** The journey of the scenario `upload`; called in the init context. */
export function uploadJourney(): Journey {
  const opened = openTarget();
  const { key: chosen } = uploadWork(opened, keyNames());
  const limit = chosen.rateLimit;
  const seconds = duration() ?? upload.seconds;
  const options = optionsFor(upload, 1, seconds, true);

  /** One VU starts all flows, so that 50 MB are held once, and no flow waits for another. */
  async function drive(): Promise<void> {
    const target = admittedTarget(upload, opened, limit);
    const { key, start, register } = orAbort(() => uploadWork(target, keyNames()));
    const { contentType, registration, headers } = target.upload;
    const from = { ...key, headers: target.headers };
    const url = (path: string) => `${target.baseUrl}${path}`;
    const bytes = new ArrayBuffer(Math.max(...uploadSizes));
    const fileKeys = new Set<string>();

    const ask = () => sendFor(from, url(start.path), start, 'upload/start-is-201', JSON.stringify({ contentType }));
    orAbortPreflight(await ask(), start.operationId);
    keyStarted.add(1, {
      scenario_name: upload.name,
      key: key.name,
      per_second: String(limit.perSecond),
      burst: String(limit.burst),
      position: '0',
      seconds: String(seconds),
    });

    async function flow(size: number): Promise<void> {
      const started = await ask();
      if (unanswered(started)) return;
      check(
        'upload/start-is-201',
        start.operationId,
        started.status === 201 ? undefined : `answered ${started.status}`,
      );
      const { fileKey, uploadUrl } = fieldsOf(started.body);
      const seen = fileKey === undefined ? 'no fileKey' : fileKeys.has(fileKey) ? 'the same fileKey twice' : undefined;
      check('upload/target-file-key', start.operationId, seen);
      check('upload/target-url', start.operationId, uploadUrl === undefined ? 'no uploadUrl' : undefined);
      if (fileKey === undefined || uploadUrl === undefined) return;
      fileKeys.add(fileKey);
      if (uploadUrl.includes(key.secret)) {
        undecided.add(1, { seen: 'the upload URL holds the API key, so nothing is sent to this URL' });
        return;
      }

      const rule = size > 10 * megabyte ? 'upload/file-may-exceed-10mb' : 'upload/put-accepts-bytes';
      const put = await send({
        method: 'PUT',
        url: uploadUrl,
        headers: { ...headers, 'content-type': contentType },
        tags: { operationId: 'putUploadUrl', rule, phase: 'flow' },
        body: bytes.slice(0, size),
        timeoutMs: putTimeoutMs,
      });
      if (unanswered(put)) return;
      check(rule, 'putUploadUrl', isSuccess(put) ? undefined : refusal(size, put));
      if (!isSuccess(put)) return;

      const body = JSON.stringify({ name: `load-${size}.bin`, ...registration, fileKey });
      const registered = await sendFor(from, url(register.path), register, 'upload/register-takes-file-key', body);
      if (unanswered(registered)) return;
      check(
        'upload/register-takes-file-key',
        register.operationId,
        isSuccess(registered) ? undefined : `answered ${registered.status}`,
      );
    }

    const flows: Promise<void>[] = [];
    const rate = flowsPerSecond(limit.perSecond);
    const startAt = Date.now();
    for (let i = 0; i < Math.round(rate * seconds); i += 1) {
      await pause(startAt + (i * 1000) / rate - Date.now());
      flows.push(flow(uploadSizes[i % uploadSizes.length] ?? 0));
    }
    await Promise.all(flows);
    keyEnded.add(1, { key: key.name });
  }

  return { options, drive };
}

const refusal = (size: number, { status, body }: Answer): string =>
  [`${size} bytes: answered ${status}`, ...storageReason(body ?? '')].join(' ');

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status <= 299;

/** A request without an answer, or with one that says to come back later, shows nothing about a rule. */
function unanswered({ status, error }: Answer): boolean {
  if (status !== 0 && status !== 429 && status < 502) return false;
  undecided.add(1, { seen: status === 0 ? `no answer (${error}); ${remedyFor(error)}` : `status ${status}` });
  return true;
}

function fieldsOf(body: string | null): { readonly fileKey?: string; readonly uploadUrl?: string } {
  const { fileKey, uploadUrl } = Object(jsonOrUndefined(body ?? '')) as Readonly<Record<string, unknown>>;
  return { ...(typeof fileKey === 'string' && { fileKey }), ...(typeof uploadUrl === 'string' && { uploadUrl }) };
}
