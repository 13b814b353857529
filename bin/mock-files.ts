/** The tenants of `--fixtures`, or the packaged ones. */
export async function readSeeds(path: string | undefined) {
  if (path === undefined) return (await import('../mock/seed/generated/tenants.ts')).defaultSeeds;
  return (await import('../mock/seed/load.ts')).loadSeeds(path);
}

/** The profile of `--profile`. That it contradicts no documented rule, the mock checks. */
export async function readProfile(file: string | undefined) {
  return file === undefined ? undefined : (await import('../spec/files/profile.ts')).loadProfile(file);
}
