/** The states of an upload as text. */
export const fileStates = {
  started: { words: 'waiting for bytes', badge: 'badge' },
  stored: { words: 'stored, not registered', badge: 'badge warn' },
  registered: { words: 'registered', badge: 'badge good' },
} as const;
