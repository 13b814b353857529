import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The parts of a GitLab or Jenkins pipeline that can run here. */
export interface Pipeline {
  /** Shell lines in order. */
  readonly scripts: readonly string[];
  /** Environment variables with secrets of the project. */
  readonly secrets: readonly string[];
  /** Files that it reads or keeps afterwards. */
  readonly results: readonly string[];
}

/** The only job of a GitLab pipeline. @throws Error for a file of another shape */
export function gitlabPipeline(file: string): Pipeline {
  const jobs: Record<
    string,
    { before_script?: string[]; script?: string[]; artifacts?: { paths: string[]; reports: { junit: string } } }
  > = parse(readFileSync(file, 'utf8'));
  const [job] = Object.values(jobs);
  if (job?.script === undefined || job.artifacts === undefined) throw new Error(`${file}: has no job with a script`);
  const { paths, reports } = job.artifacts;
  return { scripts: [...(job.before_script ?? []), ...job.script], secrets: [], results: [...paths, reports.junit] };
}

/** A declarative Jenkinsfile with shell steps in single quotes. @throws Error if it has no such step */
export function jenkinsPipeline(file: string): Pipeline {
  const text = readFileSync(file, 'utf8');
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
  const scripts = all(/^\s*sh '([^']*)'$/gm);
  if (scripts.length === 0) throw new Error(`${file}: has no step sh '...'`);
  if ((text.match(/\{/g) ?? []).length !== (text.match(/\}/g) ?? []).length)
    throw new Error(`${file}: a brace is missing`);
  return { scripts, secrets: all(/(\w+) = credentials\('/g), results: all(/^\s*junit '([^']*)'$/gm) };
}
