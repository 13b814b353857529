import sampler from 'openapi-sampler';
import { type OpenApiDocument, placedOperations } from './document.ts';

/** The text of `generated/samples.ts`: a body for the success reply of each operation, made from its schema. */
export function samplesModule(document: OpenApiDocument): string {
  const samples = placedOperations(document).map(({ operation: { operationId }, responses }) => {
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
    const body = sampler.sample(success?.content['application/json'].schema ?? {}, {}, document);
    return [operationId, body] as const;
  });
  return `// Generated from spec/openapi.yaml by \`npm run generate\`. Do not edit.
import type { OperationId } from './operations.ts';

/** A body for the success reply of each operation, which keeps its schema. */
export const samples: Readonly<Record<OperationId, unknown>> = ${JSON.stringify(Object.fromEntries(samples), null, 2)};
`;
}
