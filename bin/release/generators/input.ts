/** What every client is given: the document, and the examples in it. */
interface Input {
  readonly url: string;
  readonly apiKey: string;
  /** The OpenAPI document as JSON. */
  readonly document: string;
  /** For the clients, which read them from their environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Makes a client in a folder and has it call every operation. @returns a line for each: operationId and status */
export type Generate = (folder: string, input: Input) => Promise<string>;

interface Document {
  readonly components: { readonly parameters: Readonly<Record<string, { readonly example: string }>> };
  readonly paths: Readonly<
    Record<
      '/v1/site/{id}/file',
      {
        readonly post: {
          readonly requestBody: {
            readonly content: { readonly 'application/json': { readonly example: { readonly fileKey: string } } };
          };
        };
      }
    >
  >;
}

const apiKey = 'acmefull-fake-secret-0000000000000001';

/** Asked for anew each time: the example of a registration works once. */
export async function inputOf(url: string): Promise<Input> {
  const document = await (await fetch(`${url}/_mock/openapi.json`)).text();
  const { components, paths }: Document = JSON.parse(document);
  const { ConversationId, SiteId, ClientId, LabelId } = components.parameters;
  const env = {
    MOCK_URL: url,
    API_KEY: apiKey,
    CONVERSATION: ConversationId?.example ?? '',
    SITE: SiteId?.example ?? '',
    CLIENT: ClientId?.example ?? '',
    LABEL: LabelId?.example ?? '',
    FILE_KEY: paths['/v1/site/{id}/file'].post.requestBody.content['application/json'].example.fileKey,
  };
  return { url, apiKey, document, env };
}
