import type { History } from '../conformance/history/history.ts';
import { readHistory } from '../conformance/history/history-file.ts';
import { type Recording, recordingOf, recordingOfTraffic } from '../fidelity/recording.ts';
import { readRecording } from './certify/har.ts';

/**
 * What a file has recorded: the history of a conformance run, or a HAR of a client's traffic.
 * @throws ConfigurationError if it is neither
 */
export function readRecorded(file: string): { readonly recording: Recording; readonly history: History | null } {
  if (/\.har$/i.test(file)) return { recording: recordingOfTraffic(readRecording(file).requests), history: null };
  const history = readHistory(file);
  return { recording: recordingOf(history), history };
}
