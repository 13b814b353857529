import { type Profile, parseProfile } from '../../spec/files/profile.ts';
import type { Target } from '../../spec/files/target.ts';
import { patched } from '../profile-patch.ts';
import type { Report } from './report-schema.ts';

/** What was seen where the specification is silent; and what the target file says of operations, which the mock cannot know otherwise. */
export function profileOf({ startedAt, kit, profile }: Report, { baseUrl, operations }: Target): Profile {
  const said = { observed: { at: startedAt, target: baseUrl, kit }, operations };
  return patched(said, parseProfile(profile, 'what was observed'));
}
