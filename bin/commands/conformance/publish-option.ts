import type { Command } from 'commander';
import type { Report } from '../../../conformance/reports/report-schema.ts';
import { sayWritten } from '../../output/publish.ts';

export interface PublishFlags {
  readonly publish?: string;
  readonly implementation?: string;
}

export const addPublishOptions = (command: Command): Command =>
  command
    .option('--publish <folder>', 'add the report, its summary and badges to this folder, with an index of its runs')
    .option('--implementation <text>', 'name and version of what is judged, for --publish (default: its address)');

/** Adds a run to the folder of `--publish`. */
export async function publishRun(report: Report, { publish, implementation }: PublishFlags): Promise<void> {
  if (publish === undefined) return;
  const { publishTo } = await import('../../../conformance/reports/published/published.ts');
  sayWritten(await publishTo(publish, report, implementation ?? report.target.baseUrl));
}
