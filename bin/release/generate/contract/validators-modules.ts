import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';
import { type Contract, type Header, operationsOf, type Reference, type Response } from './contract.ts';

/** The modules below `generated/` that validate requests and replies; their types stand beside them, written by hand. They import nothing and evaluate no strings, so they run under a strict content security policy. */

const head = '// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.\n';

/** For each operation a validator of its path parameters and one of its body. */
export const requestValidatorsModule = (contract: Contract): Promise<string> =>
  compiled(contract, false, (component, own) => {
    const entries = operationsOf(contract).map(({ operationId: id, requestBody, parameters }) => {
      const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
      const path = own(`${id}Path`, { type: 'object', required: Object.keys(properties), properties });
      const body = requestBody ? component(requestBody.content['application/json'].schema) : null;
      return `${id}: { path: ${path}, body: ${body} }`;
    });
    return `export const requestValidators = {\n${entries.join(',\n')}\n};\n`;
  });

/** For each operation and status a validator of the body and, if headers are declared, one of the headers; and the same for replies that belong to no operation. */
export const replyValidatorsModule = (contract: Contract): Promise<string> =>
  compiled(contract, true, (component, own) => {
    const table = (owner: string, responses: Readonly<Record<string, Response>>) => {
      const entries = Object.entries(responses).map(([status, { content, headers }]) => {
        const body = component(content['application/json'].schema);
        const named = headers ? own(`${owner}${status}Headers`, headersSchema(headers)) : null;
        return `${status}: { body: ${body}, headers: ${named} }`;
      });
      return `{ ${entries.join(', ')} }`;
    };
    const operations = operationsOf(contract).map(
      ({ operationId, responses }) => `${operationId}: ${table(operationId, responses)}`,
    );
    const unrouted = table('unrouted', contract['x-unrouted-responses']);
    return `export const replyValidators = {\n${operations.join(',\n')}\n};\nexport const unroutedReplyValidators = ${unrouted};\n`;
  });

function headersSchema(headers: Readonly<Record<string, Header>>): object {
  const entries = Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header] as const);
  return {
    type: 'object',
    required: entries.filter(([, { required }]) => required).map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, headerText(name, schema)])),
  };
}

/** The value of a header is a text, so an integer becomes a pattern of digits. */
function headerText(name: string, schema: Header['schema']): object {
  if (schema.type === 'string') return schema;
  if (schema.minimum === 1) return { type: 'string', pattern: '^0*[1-9][0-9]*$' };
  throw new Error(`spec/openapi.yaml: header ${name}: give the integer a minimum of 1, nothing else is known here`);
}

/**
 * Compiles schemas with ajv and bundles them, with the code that they need at run time, into one ES module.
 * @param allErrors whether a validator continues after the first problem
 * @param index the source of the exports. It names validators by `component`, of a schema of the document, and `own`, of any other
 */
async function compiled(
  contract: Contract,
  allErrors: boolean,
  index: (component: (schema: Reference) => string, own: (name: string, schema: object) => string) => string,
): Promise<string> {
  const ajv = new Ajv2020({ strict: true, allErrors, code: { source: true, esm: true } });
  addFormats.default(ajv);
  // The format of ajv-formats also accepts "urn:uuid:" at the start, which no id of the contract has.
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
  for (const [name, schema] of Object.entries(contract.components.schemas)) ajv.addSchema(forAjv(schema), name);
  const used = new Set<string>();
  const use = (name: string) => {
    used.add(name);
    return name;
  };
  const exported = index(
    ({ $ref }) => use($ref.slice($ref.lastIndexOf('/') + 1)),
    (name, schema) => {
      ajv.addSchema(forAjv(schema), name);
      return use(name);
    },
  );
  const validators = standaloneCode.default(ajv, Object.fromEntries([...used].map((name) => [name, name])));
  const result = await build({
    stdin: { contents: `${validators}\n${exported}`, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'es2022',
    // Comments and names would contain the paths of node_modules, which differ between machines.
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error('esbuild gave no output for the validators; look at its messages above');
  return head + output.text;
}

/** A copy of an OpenAPI schema for Ajv in strict mode: references are bare names, because Ajv resolves them relative to the id, and extensions are removed. */
const forAjv = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key.startsWith('x-')) return undefined;
    return key === '$ref' && typeof value === 'string' ? value.replace('#/components/schemas/', '') : value;
  });
