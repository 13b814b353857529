import { type Profile, parseProfile } from '../../spec/files/profile.ts';
import type { Target } from '../../spec/files/target.ts';
import { patched } from '../profile-patch.ts';
import type { Report } from './report-schema.ts';

/** The answers to open questions, and the operations of the target file, which a mock with this profile needs too. */
export function profileOf({ startedAt, kit, profile }: Report, { baseUrl, operations }: Target): Profile {
  const base = { observed: { at: startedAt, target: baseUrl, kit }, operations };
  return patched(base, parseProfile(profile, 'what was observed'));
}
