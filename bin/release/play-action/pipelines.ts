import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What a pipeline of another CI than GitHub's does, as far as it can be done here. */
export interface Pipeline {
  /** Lines for a shell, in order. */
  readonly scripts: readonly string[];
  /** Environment variables that it takes from the secrets of the project. */
  readonly secrets: readonly string[];
  /** Files that it reads or keeps afterwards. */
  readonly results: readonly string[];
}

/** The one job of a GitLab pipeline. @throws Error for a file of another shape */
export function gitlabPipeline(file: string): Pipeline {
  const jobs: Record<string, { script?: string[]; artifacts?: { paths: string[]; reports: { junit: string } } }> =
    parse(readFileSync(file, 'utf8'));
  const [job] = Object.values(jobs);
  if (job?.script === undefined || job.artifacts === undefined) throw new Error(`${file}: has no job with a script`);
  const { paths, reports } = job.artifacts;
  return { scripts: job.script, secrets: [], results: [...paths, reports.junit] };
}

/** A declarative Jenkinsfile, whose shell steps are written in single quotes. @throws Error for one without such a step */
export function jenkinsPipeline(file: string): Pipeline {
  const text = readFileSync(file, 'utf8');
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
  const scripts = all(/^\s*sh '([^']*)'$/gm);
  if (scripts.length === 0) throw new Error(`${file}: has no step sh '...'`);
  if ((text.match(/\{/g) ?? []).length !== (text.match(/\}/g) ?? []).length)
    throw new Error(`${file}: a brace is missing`);
  return { scripts, secrets: all(/(\w+) = credentials\('/g), results: all(/^\s*junit '([^']*)'$/gm) };
}
