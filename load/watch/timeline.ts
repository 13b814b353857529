import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { type LoadReport, loadReportSchema } from '../report/report-schema.ts';

const { scenario, target, startedAt, seconds, outcome, sentence, keys } = loadReportSchema.shape;
const { key, limit, verdict, counts, measured } = keys.element.shape;

/** One run of a watch: a line of its timeline. */
const rowSchema = z.object({
  format: z.literal('partnerkit-load-timeline'),
  version: z.literal(1),
  scenario,
  target,
  startedAt,
  seconds,
  outcome,
  sentence,
  requests: z.int(),
  durationMs: loadReportSchema.shape.traffic.shape.durationMs,
  keys: z.array(z.object({ key, limit, verdict, counts, measured })),
});

export type TimelineRow = z.output<typeof rowSchema>;

/** What a timeline keeps of a report: a few hundred bytes a key. */
export const rowOf = (report: LoadReport): TimelineRow =>
  rowSchema.parse({
    ...report,
    format: 'partnerkit-load-timeline',
    version: 1,
    requests: report.traffic.requests,
    durationMs: report.traffic.durationMs,
  });

/** A file with a line of JSON a run, which a later watch goes on with. */
interface Timeline {
  /** The runs before this watch. */
  readonly rows: readonly TimelineRow[];
  append(row: TimelineRow): void;
}

/**
 * Opens the file, and takes off the half line of a watch that was killed.
 * @throws ConfigurationError for a file that cannot be used, is no timeline, or is that of another scenario or deployment, with the line
 */
export function openTimeline(file: string, of: Pick<TimelineRow, 'scenario' | 'target'>): Timeline {
  const change = (what: () => void) => {
    try {
      what();
    } catch (error) {
      throw new ConfigurationError([`${file}: ${fileProblem(error, 'written')}`]);
    }
  };
  // The file is made before the first run, so that no request is sent whose result could not be kept.
  change(() => appendFileSync(file, ''));
  const text = readFileSync(file, 'utf8');
  const completeLines = text.slice(0, text.lastIndexOf('\n') + 1);
  const rows = completeLines
    .split('\n')
    .slice(0, -1)
    .map((line, index) => readRow(line, `${file}:${index + 1}`, of));
  if (completeLines !== text) change(() => truncateSync(file, Buffer.byteLength(completeLines)));
  return { rows, append: (row) => change(() => appendFileSync(file, `${JSON.stringify(row)}\n`)) };
}

function readRow(line: string, place: string, of: Pick<TimelineRow, 'scenario' | 'target'>): TimelineRow {
  const { data } = rowSchema.safeParse(jsonOrUndefined(line));
  if (data === undefined) {
    throw new ConfigurationError([`${place}: this line is not of a timeline; give another file to --timeline`]);
  }
  if (data.scenario !== of.scenario || data.target !== of.target) {
    throw new ConfigurationError([
      `${place}: this is a run of ${data.scenario} against ${data.target}; give another file to --timeline for ${of.scenario} against ${of.target}`,
    ]);
  }
  return data;
}
