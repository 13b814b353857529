import { MockError } from '../mock-error.ts';

/** The uploads have reached the limit of the mock's storage. */
export class StorageFull extends MockError {
  /** @param limit in bytes */
  constructor(limit: number) {
    const what = `all uploaded files together may have at most ${limit} bytes`;
    super('conflict', `${what}; reset a tenant, or start the mock with a larger --storage-limit (storageLimit)`);
  }
}
