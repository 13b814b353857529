import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { storageReason } from '../../spec/text/storage-reason.ts';
import { type FlowPlan, flowsPerSecond, uploadSizes } from '../scenarios.ts';
import { type Journey, keyEnded, keyStarted, pause, run, undecided } from './run.ts';
import { check, isSuccess, isUndecided, orAbortPreflight, sendFlow, sendRaw } from './send.ts';

const megabyte = 1024 * 1024;
/** 50 MB at 5 Mbit/s and some more. */
const putTimeoutMs = 120_000;

/** The journey of the scenario `upload`. */
export function uploadJourney(plan: FlowPlan): Journey {
  const [key] = run.keys;
  if (run.upload === undefined || key === undefined) throw new Error('a run of upload without a site');
  const { start, register, contentType, headers, registration } = run.upload;
  const fileKeys = new Set<string>();

  const flow = async (bytes: ArrayBuffer): Promise<void> => {
    const started = await sendFlow(start);
    if (isUndecided(started)) return;
    const expected = (status: number, isRight: boolean) => (isRight ? undefined : `answered ${status}`);
    check('upload/start-is-201', start.operationId, expected(started.status, started.status === 201));
    const { fileKey, uploadUrl } = Object(jsonOrUndefined(started.body ?? '')) as Readonly<Record<string, unknown>>;
    const hasKey = typeof fileKey === 'string';
    const seen = !hasKey ? 'no fileKey' : fileKeys.has(fileKey) ? 'the same fileKey twice' : undefined;
    check('upload/target-file-key', start.operationId, seen);
    check('upload/target-url', start.operationId, typeof uploadUrl === 'string' ? undefined : 'no uploadUrl');
    if (!hasKey || typeof uploadUrl !== 'string') return;
    fileKeys.add(fileKey);
    if (uploadUrl.includes(key.secret)) {
      undecided.add(1, { seen: 'the upload URL holds the API key, so nothing is sent to this URL' });
      return;
    }

    const tags = { operationId: 'putUploadUrl', name: 'putUploadUrl', phase: 'flow' };
    const size = bytes.byteLength;
    const put = await sendRaw('PUT', uploadUrl, bytes, {
      headers: { ...headers, 'content-type': contentType },
      tags,
      timeout: putTimeoutMs,
      responseType: 'text',
    });
    if (isUndecided(put)) return;
    const refusal = [`${size} bytes: answered ${put.status}`, ...storageReason(put.body ?? '')].join(' ');
    const rule = size > 10 * megabyte ? 'upload/file-may-exceed-10mb' : 'upload/put-accepts-bytes';
    check(rule, tags.operationId, isSuccess(put.status) ? undefined : refusal);
    if (!isSuccess(put.status)) return;

    const body = JSON.stringify({ name: `load-${size}.bin`, ...registration, fileKey });
    const { status, ...answer } = await sendFlow({ ...register, body });
    if (isUndecided({ status, ...answer })) return;
    check('upload/register-takes-file-key', register.operationId, expected(status, isSuccess(status)));
  };

  /** One VU starts all flows, so that 50 MB are held once, and no flow waits for another. */
  const drive = async (): Promise<void> => {
    const bytes = new ArrayBuffer(Math.max(...uploadSizes));
    orAbortPreflight(await sendFlow(start), start.operationId);
    keyStarted(plan.name, key, 0);
    const flows: Promise<void>[] = [];
    const rate = flowsPerSecond(key.limit.perSecond);
    const startAt = Date.now();
    for (let i = 0; i < Math.round(rate * run.seconds); i += 1) {
      await pause(startAt + (i * 1000) / rate - Date.now());
      flows.push(flow(bytes.slice(0, uploadSizes[i % uploadSizes.length] ?? 0)));
    }
    await Promise.all(flows);
    keyEnded(key);
  };

  return { vus: 1, drive };
}
