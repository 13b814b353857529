import openapiTypescript, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';
import { readDocument } from './document.ts';
import { operationsModule } from './operations-module.ts';
import { replyValidatorsModule, replyValidatorsTypes } from './reply-validators-module.ts';
import { requestValidatorsModule, requestValidatorsTypes } from './request-validators-module.ts';
import { samplesModule } from './samples-module.ts';

/**
 * All files that are generated from the contract: file name in `spec/generated/` -> text. The same input gives the same
 * text on every machine.
 * @param yaml the text of `spec/openapi.yaml`
 * @throws Error with the place if the document lacks something
 */
export async function generatedFiles(yaml: string): Promise<ReadonlyMap<string, string>> {
  const document = readDocument(yaml);
  // First, because its errors name the operation. The errors of openapi-typescript do not.
  const operations = operationsModule(document);
  const types = await openapiTypescript(yaml, { rootTypes: true, rootTypesNoSchemaPrefix: true });
  return new Map([
    ['operations.ts', operations],
    ['api.ts', `// Generated from spec/openapi.yaml by \`npm run generate\`. Do not edit.\n${astToString(types)}`],
    ['request-validators.js', await requestValidatorsModule(document)],
    ['request-validators.d.ts', requestValidatorsTypes],
    ['samples.ts', samplesModule(document)],
    ['reply-validators.js', await replyValidatorsModule(document)],
    ['reply-validators.d.ts', replyValidatorsTypes],
    ['openapi.json', `${JSON.stringify(parse(yaml), null, 2)}\n`],
  ]);
}
