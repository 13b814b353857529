import { createReplyLimits } from '../../../conformance/client/reply-body.ts';
import type { History } from '../../../conformance/history/history.ts';
import { readHistory } from '../../../conformance/history/history-file.ts';
import { type Recording, recordingOf, recordingOfTraffic } from '../../../fidelity/recording.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { readRecording } from '../../certify/har.ts';

/** Bytes of the body of a request. */
const maxRequest = 256 * 2 ** 20;

/**
 * What a file has recorded: the history of a conformance run, or a HAR of a client's traffic.
 * @throws ConfigurationError if it is neither, or a reply is larger than one of the API can be
 */
export function readRecorded(file: string): { readonly recording: Recording; readonly history: History | null } {
  const history = /\.har$/i.test(file) ? null : readHistory(file);
  const recording = history ? recordingOf(history) : recordingOfTraffic(readRecording(file).requests);
  for (const { n, body, requestBytes } of recording.exchanges) {
    const isSize = requestBytes >= 0 && requestBytes <= maxRequest;
    const problem = isSize ? createReplyLimits()(new TextEncoder().encode(body ?? '')) : 'no request has so many bytes';
    if (problem !== null) throw new ConfigurationError([`${file}: exchange ${n}: ${problem}; leave this exchange out`]);
  }
  return { recording, history };
}
