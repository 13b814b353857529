import { write } from './files.ts';
import { fromContract } from './from-contract.ts';

// `npm run generate`. Modules that need the generated contract are imported after it was written.
await write(await fromContract());
const { fromSchemas } = await import('./from-schemas.ts');
await write(await fromSchemas());
