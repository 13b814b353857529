import { appendFileSync, readFileSync } from 'node:fs';
import type { Report } from '../reports/report-schema.ts';
import { annotations } from './annotations.ts';

// Run by action.yml with the Node of the job, from a checkout where nothing is installed: it needs no package.
const [file = '', outputs] = process.argv.slice(2);
const report: Report = JSON.parse(readFileSync(file, 'utf8'));
for (const line of annotations(report)) process.stdout.write(`${line}\n`);
if (outputs !== undefined) appendFileSync(outputs, `verdict=${report.verdict}\n`);
