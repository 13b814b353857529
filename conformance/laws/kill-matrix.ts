import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { packaged } from '../../spec/packaged.ts';

const killMatrix = z.object({
  defects: z.array(
    z.object({
      id: z.string(),
      breaks: z.string(),
      does: z.string(),
      killedBy: z.array(z.string()),
    }),
  ),
});

/** One way of breaking one rule, and the laws of that rule that it breaks. */
type Kill = z.output<typeof killMatrix>['defects'][number];

/** What the proof has written beside its defects; null where it has not been run, as in an installed package. */
export function readKillMatrix(
  file: string | URL = packaged('conformance/proof/kill-matrix.json'),
): readonly Kill[] | null {
  if (!existsSync(file)) return null;
  return killMatrix.parse(JSON.parse(readFileSync(file, 'utf8'))).defects;
}
