import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { evaluate } from './evaluate.ts';

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
  readonly 'continue-on-error'?: boolean;
}

/** What would become an artifact. */
interface Upload {
  readonly name: string;
  readonly path: string;
  /** Whether the job goes on if it fails. */
  readonly mayFail: boolean;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

interface ActionResult {
  readonly succeeded: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly log: string;
  readonly uploads: readonly Upload[];
}

/**
 * Runs the steps of a composite action like GitHub's runner. Steps that use other actions are skipped, and uploads noted.
 * @param actionPath the folder of action.yml
 * @param workspace the checkout of the repository that uses the action
 * @param more further variables of the job
 */
export function runAction(
  actionPath: string,
  workspace: string,
  given: Readonly<Record<string, string>>,
  more: NodeJS.ProcessEnv = {},
): ActionResult {
  const action: Action = parse(readFileSync(join(actionPath, 'action.yml'), 'utf8'));
  if (action.runs.using !== 'composite') throw new Error('action.yml: only composite actions are played');
  const unknown = Object.keys(given).filter((name) => !(name in action.inputs));
  if (unknown.length > 0) throw new Error(`action.yml: there is no input ${unknown.join(', ')}`);
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => {
      const value = given[name] ?? input.default;
      if (value === undefined) throw new Error(`action.yml: the input ${name} is missing`);
      return [name, value];
    }),
  );
  const temporary = mkdtempSync(join(tmpdir(), 'partnerkit-runner-'));
  const files = {
    summary: join(temporary, 'summary'),
    output: join(temporary, 'output'),
    script: join(temporary, 'step'),
  };
  writeFileSync(files.summary, '');
  const outputs = new Map<string, ReadonlyMap<string, string>>();
  const context = { inputs, outputs };
  let succeeded = true;
  let log = '';
  const uploads: Upload[] = [];
  try {
    for (const step of action.runs.steps) {
      if (!(succeeded || step.if === 'always()')) continue;
      if (step.uses?.startsWith('actions/upload-artifact@')) {
        const [name, path] = [step.with?.name, step.with?.path].map((text) => evaluate(String(text), context));
        uploads.push({ name: name ?? '', path: path ?? '', mayFail: step['continue-on-error'] ?? false });
      }
      if (step.run === undefined) continue;
      if (step.shell !== 'bash') throw new Error(`action.yml: a step of a composite action needs "shell: bash"`);
      writeFileSync(files.output, '');
      writeFileSync(files.script, evaluate(step.run, context));
      const env = Object.entries(step.env ?? {}).map(([name, value]) => [name, evaluate(value, context)]);
      const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', files.script], {
        cwd: workspace,
        encoding: 'utf8',
        env: {
          ...process.env,
          ...Object.fromEntries(env),
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          GITHUB_ACTION_PATH: actionPath,
          GITHUB_WORKSPACE: workspace,
          GITHUB_STEP_SUMMARY: files.summary,
          GITHUB_OUTPUT: files.output,
          RUNNER_TEMP: workspace,
          ...more,
        },
      });
      log += stdout + stderr;
      succeeded &&= status === 0;
      if (step.id !== undefined) outputs.set(step.id, outputsIn(readFileSync(files.output, 'utf8')));
    }
    return {
      succeeded,
      log,
      uploads,
      summary: readFileSync(files.summary, 'utf8'),
      outputs: Object.fromEntries(
        Object.entries(action.outputs).map(([name, { value }]) => [name, evaluate(value, context)]),
      ),
    };
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

const outputsIn = (text: string) =>
  new Map([...text.matchAll(/^([\w-]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
