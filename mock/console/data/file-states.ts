/** How far an upload has come, in words. */
export const fileStates = {
  started: { words: 'waiting for bytes', badge: 'badge' },
  stored: { words: 'stored, not registered', badge: 'badge warn' },
  registered: { words: 'registered', badge: 'badge good' },
} as const;
