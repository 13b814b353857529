import { escaped } from '../../spec/report-page/markup.ts';
import { newSecret } from '../keys/secret.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import type { Parts } from '../parts.ts';
import { storagePath } from '../paths.ts';
import type { SiteFile } from '../store/site-file.ts';
import type { Tenant } from '../store/tenant.ts';
import type { Trace } from '../trace.ts';
import { presignPut, verifyPut } from './presign.ts';
import { type PutProblem, refusedPut, wrongDigest } from './put-rules.ts';

export type StorageTarget = ReturnType<typeof createStorageTarget>;

/** An object store that can only do one thing: store the bytes of a PUT to a URL that it signed. */
export function createStorageTarget(parts: Parts, uploadSecret: string | undefined) {
  const { clock, tenants, store, storageLimit, faults, behaviour, publicUrl, onError } = parts;
  const { now } = clock;
  let made = uploadSecret;
  /** Made for the first upload: loading what makes it would be a part of every start. */
  const secret = () => (made ??= newSecret());
  /** What is registered stays as it is. A profile may let files be registered before their bytes come, or their bytes be replaced. */
  const isFinal = ({ registered, stored }: SiteFile) =>
    registered !== null && stored !== null && !behaviour.replacesRegistered;
  /** Bytes that are just arriving. They count with those that have arrived. */
  let arriving = 0;
  const write = async (blob: string, bytes: AsyncIterable<Uint8Array>) => {
    let size = 0;
    const limited = async function* () {
      for await (const chunk of bytes) {
        size += chunk.length;
        arriving += chunk.length;
        if (tenants.storedBytes() + arriving > storageLimit) throw storageFull;
        yield chunk;
      }
    };
    try {
      return await store.write(blob, limited());
    } finally {
      arriving -= size;
    }
  };
  return {
    /** The upload URL of a file, and when it expires, in ms since the epoch. */
    presign(
      { fileKey, contentType }: { readonly fileKey: string; readonly contentType: string },
      { name }: Tenant,
      origin: string,
    ) {
      const url = `${baseOf(publicUrl ?? origin)}${storagePath}${name}/${fileKey}`;
      return presignPut({ url, contentType, now: now() }, secret());
    },

    async handle(request: ApiRequest, trace: Trace): Promise<ApiReply> {
      const refuse = ({ status, code, message, details = {} }: PutProblem, headers?: ApiReply['headers']) => {
        const said = Object.entries(details).map(([name, value]) => `${name}: \`${value}\``);
        trace.refuse('storage', said.length > 0 ? `${message} (${said.join(', ')})` : message);
        return xmlError(status, code, message, details, headers);
      };
      const [, path = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(request.url) ?? [];
      const owner = tenants.get(path.slice(storagePath.length).split('/')[0] ?? '');
      trace.tenant = owner?.name ?? null;
      const faultReply = faults.strike(request, trace);
      if (faultReply !== null) return faultReply;
      if (request.method !== 'PUT') {
        const message = 'The specified method is not allowed against this resource.';
        const details = { Method: request.method, AllowedMethods: 'PUT' };
        return refuse({ status: 405, code: 'MethodNotAllowed', message, details }, { allow: 'PUT' });
      }
      // Malformed text cannot be signed, so the mock has not issued this URL.
      if (!URL.canParse(request.origin) || !path.isWellFormed()) {
        return refuse({ status: 400, code: 'InvalidURI', message: 'The URL is not valid.' });
      }
      const contentType = request.headers['content-type'] ?? '';
      const put = { url: baseOf(publicUrl ?? request.origin) + path, contentType, now: now() };
      const file = owner?.files.get(path.split('/').at(-1) ?? '');
      const refused = verifyPut(put, new URLSearchParams(search), secret(), file?.contentType);
      if (refused !== null) return refuse(refused);
      if (owner === undefined || file === undefined) {
        const message = 'The mock was reset since this URL was issued; start the upload again.';
        return refuse({ status: 404, code: 'NoSuchKey', message });
      }
      if (isFinal(file)) return refuse(finalFile);
      const refusal = refusedPut(request, file.stored?.etag, behaviour.store) ?? wrongDigest(request.headers, null);
      if (refusal !== null) return refuse(refusal);
      try {
        const blob = crypto.randomUUID();
        const { size, md5 } = await write(blob, request.body ?? nothing());
        // It may have been registered while the bytes arrived.
        const problem = wrongDigest(request.headers, md5) ?? (isFinal(file) ? finalFile : null);
        if (problem !== null) {
          await store.remove(blob).catch(onError);
          return refuse(problem);
        }
        // If the mock was reset while the bytes arrived, no upload refers to them.
        const obsolete = owner.files.get(file.fileKey) === file ? file.stored?.blob : blob;
        file.stored = { size, etag: `"${md5}"`, at: now(), blob };
        // The PUT has succeeded even if the old bytes cannot be removed.
        if (obsolete !== undefined) await store.remove(obsolete).catch(onError);
        return { status: behaviour.putStatus, headers: { etag: file.stored.etag }, body: null };
      } catch (error) {
        return refuse(failure(error, storageLimit, onError));
      }
    },
  };
}

async function* nothing() {}

const storageFull = new Error('the uploads have reached the limit of the storage');

const finalFile: PutProblem = {
  status: 403,
  code: 'AccessDenied',
  message: 'The file is registered, so its bytes stay; start another upload for other bytes.',
};

/** Why the bytes could not be stored. */
function failure(error: unknown, limit: number, onError: (error: unknown) => void): PutProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^(?:ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/.test(code)) {
    return { status: 400, code: 'IncompleteBody', message: 'The connection ended before the whole body had arrived.' };
  }
  const full = { status: 507, code: 'InsufficientStorage' };
  if (error === storageFull) {
    const message = `all uploaded files together may have at most ${limit} bytes; reset a tenant, or start the mock with a larger --storage-limit (storageLimit).`;
    return { ...full, message };
  }
  onError(error);
  if (/^(?:ENOSPC|EDQUOT|EFBIG)$/.test(code))
    return { ...full, message: 'The disk on which the mock keeps files is full.' };
  return { status: 500, code: 'InternalError', message: 'The mock could not store the bytes; see its log.' };
}

/** A base address without a slash at the end. */
function baseOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}

function xmlError(
  status: number,
  code: string,
  message: string,
  details: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): ApiReply {
  const fields = Object.entries({ Code: code, Message: message, ...details, RequestId: crypto.randomUUID() });
  const elements = fields.map(([name, value]) => `<${name}>${escaped(value)}</${name}>`).join('');
  return {
    status,
    headers: { 'content-type': 'application/xml', ...headers },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements}</Error>`,
  };
}
