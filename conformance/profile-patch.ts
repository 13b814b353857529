import type { Profile } from '../spec/profile.ts';

/** A part of a profile: what one check has learned about a deployment. */
export type ProfilePatch = { readonly [Section in keyof Profile]?: Partial<Profile[Section]> };

/** The profile with a part added; what the part says wins. */
export function patched(profile: Profile, patch: ProfilePatch): Profile {
  const merged: Record<string, unknown> = { ...profile };
  for (const [section, values] of Object.entries(patch)) {
    const before = merged[section];
    merged[section] = { ...asObject(before), ...asObject(values) };
  }
  return merged as Profile;
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
