import { curlOf } from '../../../conformance/history/curl.ts';
import { succeeded } from '../../../conformance/history/exchange.ts';
import { pathOf, type SentRequest, type Traffic } from '../traffic.ts';

/**
 * The request of a client as a shell command, with what the same run must have sent before it. It gets the same answer wherever the
 * variables of the client are set, such as those that `certify --watch` prints.
 */
export function commandOf(request: SentRequest, { requests, given, marks }: Traffic): string {
  const variables = new Map([
    ...given,
    ...marks.filter((mark) => /^\$\w+$/.test(mark)).map((mark) => [mark, mark.slice(1)] as const),
  ]);
  const earlier = requests.slice(0, requests.indexOf(request)).filter(succeeded).toReversed();
  const first: string[] = [];
  const quietly = (command: string) => command.replace('curl -i', 'curl -sSo /dev/null');
  // What a DELETE takes off was put on.
  const put = request.method === 'DELETE' && earlier.find(({ method, url }) => method === 'PUT' && url === request.url);
  if (put) first.push(quietly(curlOf(put, variables)));
  const start = earlier.find((one) => isOfUpload(request, one));
  if (start !== undefined) {
    first.push(`UPLOAD=$(${curlOf(start, variables)})`);
    for (const [name, value] of Object.entries(issuedBy(start)).filter(([, value]) => value !== '')) {
      first.push(`${name}=$(printf %s "$UPLOAD" | grep -o '"${fields[name]}": *"[^"]*' | cut -d'"' -f4)`);
      variables.set(value, name);
    }
    for (const one of earlier.toReversed().filter((one) => isOfUpload(one, start)))
      first.push(quietly(curlOf(ofUpload(one, start), variables)));
  }
  const last = start === undefined ? request : ofUpload(request, start);
  return [...first, curlOf(last, variables)].join(' && ');
}

const fields: Readonly<Record<string, string>> = { FILE_KEY: 'fileKey', UPLOAD_URL: 'uploadUrl' };

/** What the reply to a start of an upload issued, redacted. */
const issuedBy = ({ body }: SentRequest) => {
  const value = (name: string) =>
    new RegExp(`"${name}"\\s*:\\s*"([^"]+)"`).exec(body ?? '')?.[1]?.replaceAll('\\/', '/') ?? '';
  return { FILE_KEY: value('fileKey'), UPLOAD_URL: value('uploadUrl') };
};

/** The URL of a PUT as it was issued, for which a variable stands. */
const ofUpload = (request: SentRequest, start: SentRequest): SentRequest =>
  request.operation === 'storage' ? { ...request, url: issuedBy(start).UPLOAD_URL } : request;

/** Whether a request uses what this start of an upload issued. */
function isOfUpload({ operation, url, requestBody }: SentRequest, start: SentRequest): boolean {
  if (start.operation !== 'startSiteFileUpload') return false;
  const { FILE_KEY, UPLOAD_URL } = issuedBy(start);
  return operation === 'storage'
    ? pathOf(url) === pathOf(UPLOAD_URL)
    : FILE_KEY !== '' && (requestBody ?? '').includes(FILE_KEY);
}
