import type { ClientReportFormat } from '../../certify/report/client-formats.ts';

/** The names of all formats. The code that writes them is loaded only when needed; a test compares both. */
export const clientReportFormats = [
  'html',
  'junit',
  'sarif',
  'markdown',
  'json',
] as const satisfies ClientReportFormat[];
