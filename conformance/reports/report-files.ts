import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigurationError, fileProblem } from '../../spec/files/configuration-error.ts';
import { ctrfReport } from './ctrf.ts';
import { htmlReport } from './html/html-report.ts';
import { httpReport } from './http.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { Report } from './report-schema.ts';
import { sarifReport } from './sarif.ts';
import { badgeReport } from './summary.ts';

/** What writes a kind of report file. @param path of the file @param json path of the JSON report that is written beside it */
export type Format<T> = (report: T, path?: string, json?: string) => string;

/** Every kind of report file, by its name for `--report`. */
export const formats = {
  html: htmlReport,
  junit: junitReport,
  ctrf: ctrfReport,
  sarif: sarifReport,
  markdown: markdownReport,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  http: httpReport,
  badge: badgeReport,
} as const satisfies Readonly<Record<string, Format<Report>>>;

/** The name of a kind of report file. */
export type ReportFormat = keyof typeof formats;

export const formatNames = Object.keys(formats) as ReportFormat[];

/** A report to write. */
export interface WantedFile<Name extends string = string> {
  readonly format: Name;
  readonly path: string;
}

/**
 * Checks before a run that its reports can be written afterwards, and makes missing folders.
 * @throws ConfigurationError that names every path that cannot be written
 */
export async function assertWritable(paths: readonly string[]): Promise<void> {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    if (seen.has(resolve(path))) problems.push(`${path}: two reports would be written to this file; give each its own`);
    seen.add(resolve(path));
    try {
      await mkdir(dirname(resolve(path)), { recursive: true });
      await access((await isSpecial(path)) ? path : dirname(resolve(path)), constants.W_OK);
      if ((await found(path))?.isDirectory()) throw new Error('it is a folder');
    } catch (error) {
      problems.push(`${path}: ${fileProblem(error, 'written')}`);
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Writes a report in each wanted format. */
export async function writeAll<T, Name extends string>(
  report: T,
  files: readonly WantedFile<Name>[],
  formats: Readonly<Record<Name, Format<T>>>,
): Promise<void> {
  const problems: string[] = [];
  const json = files.find(({ format }) => format === 'json')?.path;
  for (const { format, path } of files)
    await writeWhole(path, formats[format](report, path, json)).catch((error: unknown) =>
      problems.push(`${path}: ${fileProblem(error, 'written')}`),
    );
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/**
 * Writes a text file under a temporary name and renames it, so that nobody reads half a file. A device or a pipe, such as `/dev/null`, is
 * written to and never replaced.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const stream = standard[path];
  if (stream !== undefined) return void stream.write(text);
  if (await isSpecial(path)) return writeFile(path, text);
  const temporary = `${resolve(path)}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Through the output of the process, which makes sure that no text is a command of a terminal or a CI runner. */
const standard: Readonly<Record<string, NodeJS.WriteStream>> = {
  '/dev/stdout': process.stdout,
  '/dev/stderr': process.stderr,
};

/** Whether something is there that is neither a file nor a folder: a device, a pipe, a socket. */
async function isSpecial(path: string): Promise<boolean> {
  const there = await found(path);
  return path in standard || (there !== undefined && !there.isFile() && !there.isDirectory());
}

const found = (path: string) => stat(path).catch(() => undefined);
