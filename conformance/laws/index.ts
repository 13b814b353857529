import { rules } from '../../spec/rules.ts';
import { lawByEvidence } from '../verdict/laws.ts';
import { keyLife } from './access/key-life.ts';
import type { Law } from './judging/law.ts';
import { labels } from './labels/labels.ts';
import { limiter } from './limiter/limiter.ts';
import { sizes } from './replies/sizes.ts';
import { uploadPut } from './uploads/upload-put.ts';
import { uploadRegister } from './uploads/upload-register.ts';
import { uploadStart } from './uploads/upload-start.ts';

const places = new Map(rules.map(({ id }, place) => [id, place]));
const placeOf = ({ rule }: Law) => places.get(rule) ?? 0;

/** The rules that scripts try and the contract judges. */
const byEvidence = rules.filter(
  ({ id, verification }) =>
    verification.includes('conformance') &&
    (/^(auth|context|errors|ids|isolation|scopes|service|transport|versioning)\//.test(id) ||
      /^(keys\/partner-scoped|labels\/(listing-|paths-|record-).*)$/.test(id)),
);

/** Every law, in the order of the contract. */
export const laws: readonly Law[] = [
  ...byEvidence.map(({ id }) => lawByEvidence(id)),
  ...keyLife,
  ...sizes,
  ...labels,
  ...uploadStart,
  ...uploadPut,
  ...uploadRegister,
  ...limiter,
].sort((a, b) => placeOf(a) - placeOf(b));
