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
 * What a client sent, as a HAR or the journal of a mock has it.
 * @throws ConfigurationError where the file cannot be read, is neither, or holds no request to the API
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
    throw new ConfigurationError([`${file}: no request in it has a path below /v1: nothing of it is for this API`]);
  }
  return { ...traffic, requests: judged };
}

function entriesIn(text: string, file: string): Entry[] {
  const json = parsed(text, file);
  const har = harSchema.safeParse(json);
  if (har.success) return entriesOfHar(har.data);
  const journal = journalSchema.safeParse(json);
  if (journal.success) return entriesOfJournal(journal.data);
  const looksLike = typeof json === 'object' && json !== null && 'log' in json ? har.error : journal.error;
  const [issue] = looksLike.issues;
  const where = issue === undefined ? '' : `: ${issue.path.join('.')}: ${issue.message}`;
  throw new ConfigurationError([`${file}: neither a HAR nor what GET /_mock/journal answers${where}`]);
}

function parsed(text: string, file: string): unknown {
  try {
    // Some programs write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new ConfigurationError([
      `${file}: this is no JSON; give a HAR, or what GET /_mock/journal?limit=1000 answers`,
    ]);
  }
}
