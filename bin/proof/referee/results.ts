import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { root } from '../../release/programs.ts';
import { type Deployment, isOfLimiter, serve } from './serve.ts';
import type { Complaint, Tool } from './tools.ts';

/** What a tool said of one deployment, beyond what it says of the right mock too. */
export interface Run {
  /** The first of them, each as `request: what`. */
  readonly complaints: readonly string[];
  readonly requests: number;
  readonly seconds: number;
  /** Why it did not judge. */
  readonly error?: string;
}

export interface Results {
  readonly tool: string;
  readonly version: string;
  readonly seed: number;
  /** What it says of the right mock: with the limiter off, and on. */
  readonly baseline: Readonly<Record<'off' | 'on', readonly string[]>>;
  readonly runs: Record<string, Run>;
}

const fileOf = (tool: string, seed: number) =>
  new URL(
    `results/${tool.toLowerCase().replaceAll(/[^a-z]+/g, '-')}${seed === 1 ? '' : `-${seed}`}.json`,
    import.meta.url,
  );

/** Earlier results of a tool; undefined if there are none. */
export function readResults(tool: string, seed: number): Results | undefined {
  const file = fileOf(tool, seed);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

export function writeResults(results: Results): void {
  const runs = Object.fromEntries(Object.entries(results.runs).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(fileOf(results.tool, results.seed), `${JSON.stringify({ ...results, runs }, null, 1)}\n`);
}

/** A complaint in one line, which is the same for each deployment with other ids. */
export function textOf({ at, what }: Complaint): string {
  const line = (text: string) => text.trim().replaceAll(/\s+/g, ' ');
  return `${line(at)}: ${line(what.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')).slice(0, 300)}`;
}

/** What a tool says of the right mock in three runs with other seeds. */
export async function baselineOf(tool: Tool, seed: number): Promise<Results['baseline']> {
  const said = { off: new Set<string>(), on: new Set<string>() };
  for (const limiter of tool.waits ? (['on'] as const) : (['off', 'on'] as const))
    await Promise.all(
      [101, 102, 103].map(async (other) => {
        await using served = await serve(null, limiter === 'on');
        for (const one of await tool.judge(served, seed * 1_000 + other)) said[limiter].add(textOf(one));
      }),
    );
  return { off: [...said.off], on: [...said.on] };
}

/** Lets a tool judge a deployment. A tool that ends with an error has said nothing. */
export async function judged(tool: Tool, one: Deployment, seed: number, baseline: Results['baseline']): Promise<Run> {
  const limited = tool.waits || isOfLimiter(one);
  await using served = await serve(one, limited);
  const begun = performance.now();
  const figures = () => ({ requests: served.requests(), seconds: Math.round((performance.now() - begun) / 1_000) });
  try {
    const known = new Set(baseline[limited ? 'on' : 'off']);
    const complaints = (await tool.judge(served, seed)).filter((complaint) => !known.has(textOf(complaint)));
    return { complaints: [...new Set(complaints.map(textOf))].slice(0, 5), ...figures() };
  } catch (error) {
    return { complaints: [], ...figures(), error: String(error).replaceAll(root, '.').slice(0, 300) };
  }
}
