import { operationIds, operations } from '../../../../spec/operations.ts';
import type { Suite } from '../suite.ts';

/** The input for each client: the document and its examples. */
interface Input {
  readonly apiKey: string;
  /** The OpenAPI document as JSON. */
  readonly document: string;
  /** Environment variables for the clients. */
  readonly env: Readonly<Record<string, string>>;
}

/** Generates a client in a folder and calls every operation with it. @returns a line for each: operationId and status */
export type Generate = (folder: string, input: Input) => Promise<string>;

interface Parameter {
  readonly examples: { readonly typical: { readonly value: string } };
}
const exampleOf = ({ examples }: Parameter) => examples.typical.value;

/** A suite that calls every operation with a generated client and the examples of the document. */
export const clientSuite = (generate: Generate): Suite => ({
  onlyLong: true,
  async run({ folder, url, apiKey }) {
    const document = await (await fetch(`${url}/_mock/openapi.json`)).text();
    const { components, paths } = JSON.parse(document);
    const { ConversationId, SiteId, ClientId, LabelId } = components.parameters;
    const registration =
      paths['/v1/site/{id}/file'].post.requestBody.content['application/json'].examples.typical.value;
    const env = {
      ...{ MOCK_URL: url, API_KEY: apiKey, CONVERSATION: exampleOf(ConversationId), SITE: exampleOf(SiteId) },
      ...{ CLIENT: exampleOf(ClientId), LABEL: exampleOf(LabelId), FILE_KEY: registration.fileKey },
    };
    const lines = (await generate(folder, { apiKey, document, env })).trim().split('\n');
    const answered = new Map(lines.map((line) => line.split(' ') as [string, string]));
    const wrong = operationIds.filter((id) => answered.get(id) !== String(operations[id].success));
    return { tried: operationIds.length, failed: wrong.map((id) => `${id} answered ${answered.get(id)}`) };
  },
});
