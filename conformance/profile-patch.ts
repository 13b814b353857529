import type { Profile } from '../spec/files/profile.ts';

/** A part of a profile: what one check has learned about a deployment. */
export type ProfilePatch = { readonly [Section in keyof Profile]?: Partial<Profile[Section]> };

/** The profile with a part added; properties of the part replace those of the profile. */
export const patched = (profile: Profile, patch: ProfilePatch): Profile => merged(profile, patch) as Profile;

function merged(before: unknown, added: unknown): unknown {
  if (!isRecord(before) || !isRecord(added)) return added;
  const all: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(added)) all[name] = merged(before[name], value);
  return all;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
