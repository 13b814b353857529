import { MockError } from '../mock-error.ts';

/** What was uploaded takes as much as the mock may keep. */
export class StorageFull extends MockError {
  /** @param limit in bytes */
  constructor(limit: number) {
    const what = `all uploaded files together may take ${limit} bytes`;
    super('conflict', `${what}; reset a tenant, or start the mock with a larger --storage-limit (storageLimit)`);
  }
}
