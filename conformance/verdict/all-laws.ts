import { rules } from '../../spec/rules.ts';
import type { Law } from './law.ts';
import { lawByEvidence } from './laws.ts';
import { limiter } from './limiter-laws.ts';
import { uploadLaws } from './upload-answers.ts';

const places = new Map(rules.map(({ id }, place) => [id, place]));
const placeOf = ({ rule }: Law) => places.get(rule) ?? 0;

/** Laws that also answer open questions about uploads and the limiter. */
const answering: readonly Law[] = [...uploadLaws, ...limiter];
const answered = new Set(answering.map(({ rule }) => rule));

/** Every rule that conformance verifies, in the order of the contract. */
export const laws: readonly Law[] = [
  ...rules
    .filter(({ id, verification }) => verification.includes('conformance') && !answered.has(id))
    .map(({ id }) => lawByEvidence(id)),
  ...answering,
].sort((a, b) => placeOf(a) - placeOf(b));
