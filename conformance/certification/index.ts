/** The judgement of clients: traffic, duties, reports. */
export { duties } from './duties/index.ts';
export { brokenOutcome, type ClientResult, judgeDuty, type Kind } from './findings.ts';
export { type ClientReportFormat, clientFormats } from './report/client-formats.ts';
export { type ClientCase, clientReportOf } from './report/client-report-of.ts';
export type { ClientReport } from './report/client-report-schema.ts';
export { clientTextReport } from './report/text.ts';
export { scopesFor } from './scopes.ts';
export type { SentRequest, Traffic } from './traffic.ts';
