import { bundleValidators } from './bundle-validators.ts';
import { contractAjv } from './contract-ajv.ts';
import {
  componentName,
  followAll,
  type Header,
  type OpenApiDocument,
  placedOperations,
  type Response,
} from './document.ts';

/**
 * The text of `generated/reply-validators.js`: for each operation and status a validator of the body and, if headers are
 * declared, one of the headers; and the same for replies that belong to no operation.
 */
export function replyValidatorsModule(document: OpenApiDocument): Promise<string> {
  const { headers: headerComponents, responses: responseComponents } = document.components;
  const ajv = contractAjv(document, true);
  const exports = new Set<string>();

  function entry(owner: string, status: string, { content, headers }: Response): string {
    const body = componentName(content['application/json'].schema);
    exports.add(body);
    if (headers === undefined) return `${status}: { body: ${body}, headers: null }`;

    const name = `${owner}${status}Headers`;
    ajv.addSchema(headersSchema(followAll(headers, headerComponents)), name);
    exports.add(name);
    return `${status}: { body: ${body}, headers: ${name} }`;
  }

  function table(owner: string, responses: Readonly<Record<string, Response>>): string {
    const entries = Object.entries(responses).map(([status, response]) => entry(owner, status, response));
    return `{ ${entries.join(', ')} }`;
  }

  const operations = placedOperations(document).map(
    ({ operation: { operationId }, responses }) => `${operationId}: ${table(operationId, responses)}`,
  );
  const unrouted = table('unrouted', followAll(document['x-unrouted-responses'], responseComponents));
  return bundleValidators(
    ajv,
    exports,
    `export const replyValidators = {\n${operations.join(',\n')}\n};\nexport const unroutedReplyValidators = ${unrouted};\n`,
  );
}

/** The types of that module. */
export const replyValidatorsTypes = `// Generated from spec/openapi.yaml by \`npm run generate\`. Do not edit.
import type { CompiledValidator } from '../validation-problem.ts';
import type { OperationId } from './operations.ts';

/** By status. Header validators take an object of header values (strings) under lower-case names. */
export type ReplyValidators = Readonly<
  Record<number, { readonly body: CompiledValidator; readonly headers: CompiledValidator | null }>
>;

export declare const replyValidators: Readonly<Record<OperationId, ReplyValidators>>;

/** For replies that are sent before the operation is known. */
export declare const unroutedReplyValidators: ReplyValidators;
`;

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
