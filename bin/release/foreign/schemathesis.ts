import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from './suite.ts';
import { pipTools } from './tools.ts';

interface Check {
  readonly name: string;
  readonly status: string;
}

/** Schemathesis: all four phases and all checks, over the document that the mock serves. */
export const schemathesis: Suite = {
  async run({ folder, long, url, apiKey }) {
    const run = await pipTools(folder, ['schemathesis==4.32.5'], { codes: [0, 1] });
    let tried = 0;
    const failed: string[] = [];
    for (const seed of long ? ['1', '2', '3'] : ['1']) {
      const options = [
        ...['--url', url, '--header', `x-api-key: ${apiKey}`, '--continue-on-failure', '--checks', 'all'],
        ...['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', long ? '200' : '25', '--seed', seed],
        ...['--generation-database', 'none', '--report', 'json,ndjson', '--report-json-path', 'summary.json'],
      ];
      await run(
        'schemathesis',
        'run',
        `${url}/_mock/openapi.json`,
        ...options,
        '--report-ndjson-path',
        'events.ndjson',
      );
      const { test_cases, errors } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
      tried += test_cases.generated;
      failed.push(...errors.map(JSON.stringify));
      for (const line of readFileSync(join(folder, 'events.ndjson'), 'utf8').trim().split('\n')) {
        const { checks = {}, interactions } = JSON.parse(line).ScenarioFinished?.recorder ?? {};
        for (const [id, all] of Object.entries<Check[]>(checks))
          for (const { name } of all.filter(({ status }) => status === 'failure')) {
            const { request, response } = interactions[id];
            const body = Buffer.from(response?.content?.$base64 ?? '', 'base64');
            failed.push(`${request.method} ${request.uri.replace(url, '')}: ${name}: ${response?.status_code} ${body}`);
          }
      }
    }
    return { tried, failed };
  },
  falseAlarms: [
    [
      /^\w+ \/v1\/client\/ovcid-\S*%(0A|0D|C2%85|E2%80%A[89])\S*: positive_data_acceptance: 400 .*must match the pattern/,
      'a dot matches no end of a line in the expressions of JSON Schema (ECMA-262), but all except \\n in those of Python',
    ],
    [
      /^\w+ \/v1\/conversation\/(?![\da-f]{8}-)\S+: positive_data_acceptance: 400 .*path\.id must be a UUID/,
      'it takes the id of a site for that of a conversation, because the parameters of both are named id',
    ],
  ],
};
