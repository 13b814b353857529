import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, publicApi } from './public-api.ts';

// `npm run public-api`: brings the reports up to date. Their change belongs into the review.
for (const { name, report } of publicApi()) writeFileSync(join(folder, `${name}.api.md`), report);
