import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce, root } from './programs.ts';

/** For tests: a folder with what ships, bundled. */
export const built = await madeOnce('program', async (folder) => {
  // Loaded only here: a bundler takes half a second.
  const { bundle } = await import('./bundle.ts');
  await bundle(folder);
  mkdirSync(join(folder, 'mock/console'), { recursive: true });
  symlinkSync(join(root, 'mock/console/dist'), join(folder, 'mock/console/dist'));
});

/** The command, which starts in a third of the time that its sources take. */
export const program = join(built, 'bin/partnerkit.cjs');
