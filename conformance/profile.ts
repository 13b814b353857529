import { type Profile, parseProfile } from '../spec/files/profile.ts';
import type { Target } from '../spec/files/target.ts';
import { isObject } from './history/exchange.ts';
import type { Report } from './reports/report-schema.ts';

/** The part of a profile that one law has learned. */
export type ProfilePatch = { readonly [Section in keyof Profile]?: Partial<Profile[Section]> };

/** The profile with the patch merged in, at any depth; values of the patch replace values of the profile. */
export const patched = (profile: Profile, patch: ProfilePatch): Profile => merged(profile, patch) as Profile;

function merged(before: unknown, added: unknown): unknown {
  if (!isObject(before) || !isObject(added)) return added;
  const all: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(added)) all[name] = merged(before[name], value);
  return all;
}

/** What the run has learned, and the operations of the target file, which a mock with this profile needs too. */
export function profileOf({ startedAt, kit, profile }: Report, { baseUrl, operations }: Target): Profile {
  const base = { observed: { at: startedAt, target: baseUrl, kit }, operations };
  return patched(base, parseProfile(profile, 'what was observed'));
}
