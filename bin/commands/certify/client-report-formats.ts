import type { ClientReportFormat } from '../../../conformance/certification/index.ts';

/** The names of all formats; a test compares them with what can be written, which is loaded only when needed. */
export const clientReportFormats = ['html', 'junit', 'markdown', 'json'] as const satisfies ClientReportFormat[];
