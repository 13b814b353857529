import type { Mock } from '../../create-mock.ts';
import { MockError } from '../../mock-error.ts';
import { bruno } from './bruno.ts';
import { type Collection, collectionOf } from './collection.ts';
import { httpFile } from './http-file.ts';
import { postman } from './postman.ts';

interface CollectionFormat {
  /** The media type of the file. */
  readonly type: string;
  readonly fileName: string;
  write(collection: Collection): string | Uint8Array;
}

/** The programs that a collection can be written for. */
const collectionFormats = {
  postman: { type: 'application/json', fileName: 'partner-api.postman_collection.json', write: postman },
  bruno: { type: 'application/zip', fileName: 'partner-api.bruno.zip', write: bruno },
  http: { type: 'text/plain', fileName: 'partner-api.http', write: httpFile },
} as const satisfies Readonly<Record<string, CollectionFormat>>;

const names = Object.keys(collectionFormats);

/** The file of a collection. @throws MockError for an unknown format or tenant */
export function collectionFile(mock: Mock, baseUrl: string, name: string, tenant: string | undefined) {
  if (!names.includes(name)) {
    throw new MockError('missing', `there is no collection format ${name}; choose one of ${names.join(', ')}`);
  }
  const { type, fileName, write } = collectionFormats[name as keyof typeof collectionFormats];
  return { type, fileName, content: write(collectionOf(mock, baseUrl, tenant)) };
}
