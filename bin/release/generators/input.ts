/** The input for each client: the document and its examples. */
interface Input {
  readonly url: string;
  readonly apiKey: string;
  /** The OpenAPI document as JSON. */
  readonly document: string;
  /** Environment variables for the clients. */
  readonly env: Readonly<Record<string, string>>;
}

/** Generates a client in a folder and calls every operation with it. @returns a line for each: operationId and status */
export type Generate = (folder: string, input: Input) => Promise<string>;

interface Document {
  readonly components: {
    readonly parameters: Readonly<
      Record<string, { readonly examples: { readonly typical: { readonly value: string } } }>
    >;
  };
  readonly paths: Readonly<
    Record<
      '/v1/site/{id}/file',
      {
        readonly post: {
          readonly requestBody: {
            readonly content: {
              readonly 'application/json': {
                readonly examples: { readonly typical: { readonly value: { readonly fileKey: string } } };
              };
            };
          };
        };
      }
    >
  >;
}

const apiKey = 'acmefull-fake-secret-0000000000000001';

/** Fetched again each time, because the example of a registration works only once. */
export async function inputOf(url: string): Promise<Input> {
  const document = await (await fetch(`${url}/_mock/openapi.json`)).text();
  const { components, paths }: Document = JSON.parse(document);
  const { ConversationId, SiteId, ClientId, LabelId } = components.parameters;
  const env = {
    MOCK_URL: url,
    API_KEY: apiKey,
    CONVERSATION: ConversationId?.examples.typical.value ?? '',
    SITE: SiteId?.examples.typical.value ?? '',
    CLIENT: ClientId?.examples.typical.value ?? '',
    LABEL: LabelId?.examples.typical.value ?? '',
    FILE_KEY: paths['/v1/site/{id}/file'].post.requestBody.content['application/json'].examples.typical.value.fileKey,
  };
  return { url, apiKey, document, env };
}
