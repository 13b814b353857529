import { writeFileSync } from 'node:fs';
import { readMutationRecord } from './mutation-record.ts';
import { proofHtml } from './proof-html.ts';
import { proofMarkdown } from './proof-markdown.ts';
import type { ProofMatrix } from './proof-matrix.ts';

/** Writes the matrix for people, kill-matrix.md and .html, with what is known of its assertions. */
export function writeReports(matrix: ProofMatrix): void {
  const mutation = readMutationRecord();
  writeFileSync(new URL('kill-matrix.md', import.meta.url), proofMarkdown(matrix, mutation));
  writeFileSync(new URL('kill-matrix.html', import.meta.url), proofHtml(matrix, mutation));
}
