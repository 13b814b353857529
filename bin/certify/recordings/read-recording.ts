import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { fileProblem } from '../../../spec/files/file-problem.ts';
import { readTextFile } from '../../../spec/files/read-text-file.ts';
import { isToApi, type Traffic } from '../traffic.ts';
import type { Entry } from './entry.ts';
import { entriesOfHar, harSchema } from './har.ts';
import { entriesOfJournal, journalSchema } from './journal.ts';
import { trafficOf } from './traffic-of.ts';

/** Bytes. */
const maxRecording = 256 * 1024 * 1024;

/**
 * Reads the traffic of a client from a HAR or the journal of a mock.
 * @throws ConfigurationError when the file cannot be read, is neither of these, or holds no request to the API
 */
export function readRecording(file: string): Traffic {
  let text: string;
  try {
    text = readTextFile(file, maxRecording);
  } catch (error) {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
  }
  const traffic = trafficOf(entriesIn(text, file), { id: file });
  const judged = traffic.requests.filter((request) => isToApi(request) || request.operation === 'storage');
  if (judged.length === 0) {
    throw new ConfigurationError([`${file}: holds no request to this API, whose paths begin with /v1`]);
  }
  return { ...traffic, requests: judged };
}

function entriesIn(text: string, file: string): Entry[] {
  const json = parsed(text, file);
  const har = harSchema.safeParse(json);
  if (har.success) return entriesOfHar(har.data);
  const journal = journalSchema.safeParse(json);
  if (journal.success) return entriesOfJournal(journal.data);
  const likelier = typeof json === 'object' && json !== null && 'log' in json ? har.error : journal.error;
  const [issue] = likelier.issues;
  const where = issue === undefined ? '' : `: ${issue.path.join('.')}: ${issue.message}`;
  throw new ConfigurationError([`${file}: neither a HAR nor a reply to GET /_mock/journal${where}`]);
}

function parsed(text: string, file: string): unknown {
  try {
    // Some programs write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new ConfigurationError([
      `${file}: this is not JSON; give a HAR, or the reply to GET /_mock/journal?limit=1000`,
    ]);
  }
}
