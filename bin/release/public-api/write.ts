import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, publicApi } from './public-api.ts';

// `npm run public-api` updates the reports. Review the changes in them.
for (const { name, report } of await publicApi()) writeFileSync(join(folder, `${name}.api.md`), report);
