import { spawnSync } from 'node:child_process';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';

interface Audited {
  /** 0: no known vulnerability. 1: something to do. */
  readonly code: 0 | 1;
  readonly text: string;
}

/** Statuses of registries that do not support audits. */
const withoutAudits: readonly number[] = [404, 405, 410, 501];

/**
 * Judges the output of `npm audit --json`. Some registries do not support audits; this is printed clearly and is not a failure.
 * @param output the standard output
 */
export function judgeAudit(output: string): Audited {
  const value = jsonOrUndefined(output);
  if (value === undefined) return { code: 1, text: 'npm audit printed no JSON; run it by hand' };
  const { error, message, statusCode, metadata } = (value ?? {}) as {
    readonly error?: { readonly summary?: string };
    readonly message?: string;
    readonly statusCode?: number;
    readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
  };
  const vulnerabilities = metadata?.vulnerabilities;
  if (vulnerabilities === undefined) {
    if (!withoutAudits.includes(statusCode ?? 0)) {
      return { code: 1, text: `npm audit failed: ${error?.summary ?? message ?? 'without a reason'}; run it again` };
    }
    return {
      code: 0,
      text: 'NOT AUDITED: this registry does not support npm audit. Nothing is known about vulnerabilities; run it with a registry that does.',
    };
  }
  const bySeverity = Object.entries(vulnerabilities).filter(([severity, count]) => severity !== 'total' && count > 0);
  if (bySeverity.length === 0) return { code: 0, text: 'npm audit: no known vulnerability' };
  const counts = bySeverity.map(([severity, count]) => `${count} ${severity}`).join(', ');
  return { code: 1, text: `npm audit: ${counts}; see npm audit, then npm audit fix` };
}

if (import.meta.main) {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', timeout: 120_000 });
  const { code, text } = judgeAudit(stdout ?? '');
  const banner = text.startsWith('NOT') ? '!'.repeat(Math.min(text.length, 100)) : '';
  console.log([banner, text, banner].filter((line) => line !== '').join('\n'));
  process.exitCode = code;
}
