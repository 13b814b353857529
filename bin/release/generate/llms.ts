import type { Operation } from '../../../spec/operations.ts';
import { read } from './files.ts';

/** The pages in `llms.txt`, in the order in which readers need them. */
const pages = [
  'mock/FROM-ZERO.md',
  'mock/README.md',
  'mock/control/README.md',
  'fixtures/README.md',
  'conformance/README.md',
  'load/README.md',
  'spec/RULES.md',
  'spec/DECISIONS.md',
  'spec/FORMATS.md',
  'bin/MCP.md',
  'bin/ARCHITECTURE.md',
];

/** `llms.txt`: what partnerkit is, its pages and the operations, for language models. See llmstxt.org. */
export async function renderLlms(operations: readonly Operation[]): Promise<string> {
  const links = await Promise.all(
    pages.map(async (page) => {
      const [, title] = /^# (.*)$/m.exec(await read(page)) ?? [];
      return `- [${title}](${page})`;
    }),
  );
  const lines = operations.map(
    ({ id, method, path, scopes, success, summary, provenance }) =>
      `- \`${method} ${path}\` (${id}): ${summary}. Answers ${success}; scopes: ${scopes.join(' and ') || 'none'}. The path is ${provenance.path}.`,
  );
  return `# partnerkit

> A mock of a partner HTTP API, a verdict on whether a deployment keeps the API's contract (conformance), and a verdict on its rate limit (load).

[How to get it](README.md#get-it). \`npx partnerkit mock\` serves the whole API on http://127.0.0.1:4010 with fake keys that it prints. Every request needs a key in \`x-api-key\`. What the
contract says is documented, reference or assumed; only what is documented can fail a deployment. \`npx partnerkit mcp\` offers all of this as tools.

## Pages

${links.join('\n')}

## Operations

${lines.join('\n')}

## Optional

- [The contract as OpenAPI 3.1](spec/openapi.yaml)
- [The control API as OpenAPI 3.1](mock/control/openapi.yaml)
- [Changes](CHANGELOG.md)
`;
}
