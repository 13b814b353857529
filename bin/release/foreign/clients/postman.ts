import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationId, operations } from '../../../../spec/operations.ts';
import { createRouter } from '../../../../spec/routes.ts';
import { npmTools } from '../tools.ts';
import type { Generate } from './client-suite.ts';

interface Run {
  readonly run: {
    readonly executions: readonly {
      readonly request: { readonly method: string; readonly url: { readonly path: readonly string[] } };
      readonly response?: { readonly code: number };
    }[];
  };
}

/** Postman's converter, with the settings of its import ("Parameter generation: Example"), and its runner. */
export const postman: Generate = async (folder, { document, env, apiKey }) => {
  const run = await npmTools(folder, ['openapi-to-postmanv2@6.3.3', 'newman@6.2.2'], { env });
  writeFileSync(join(folder, 'openapi.json'), document);
  await run('openapi2postmanv2', '-s', 'openapi.json', '-o', 'collection.json', '-O', 'parametersResolution=Example');
  const key = ['--env-var', `apiKey=${apiKey}`];
  await run('newman', 'run', 'collection.json', ...key, '--reporters', 'json', '--reporter-json-export', 'run.json');
  const { executions } = (JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as Run).run;
  return executions.map(({ request, response }) => `${operationOf(request)} ${response?.code}`).join('\n');
};

const router = createRouter(Object.values(operations));

function operationOf({ method, url }: Run['run']['executions'][number]['request']): OperationId | undefined {
  const match = router.match(method, `/${url.path.join('/')}`);
  return match.kind === 'found' ? match.id : undefined;
}
