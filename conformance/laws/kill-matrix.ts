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

/** A defect, and the laws that find it. */
type Kill = z.output<typeof killMatrix>['defects'][number];

/** The kill matrix of the proof; null where the proof was not run, as in an installed package. */
export function readKillMatrix(
  file: string | URL = packaged('conformance/proof/kill-matrix.json'),
): readonly Kill[] | null {
  if (!existsSync(file)) return null;
  return killMatrix.parse(JSON.parse(readFileSync(file, 'utf8'))).defects;
}
