import type { Report } from './report-schema.ts';

/** The canonical report: `report.schema.json` describes it, `conformance diff` compares it. */
export const jsonReport = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;
