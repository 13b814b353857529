/** The tenants of `--fixtures`, or the packaged ones. */
export async function readSeeds(path: string | undefined) {
  if (path === undefined) return (await import('../mock/seed/generated/tenants.ts')).defaultSeeds;
  return (await import('../mock/seed/load.ts')).loadSeeds(path);
}

/** The profile of `--profile`. @throws ConfigurationError if it contradicts a documented rule */
export async function readProfile(file: string | undefined) {
  if (file === undefined) return undefined;
  const [{ loadProfile }, { keepDocumentedRules }] = await Promise.all([
    import('../spec/files/profile.ts'),
    import('../mock/profile/keep-documented-rules.ts'),
  ]);
  const profile = loadProfile(file);
  keepDocumentedRules(profile, file);
  return profile;
}
