/** Defects of an area of rules that whole runs do not find, at most, and why. `npm run proof` fails where more are missed. */
export const notSeen: Readonly<Record<string, { readonly most: number; readonly because: string }>> = {
  auth: { most: 3, because: 'doors at one path or for one odd body, and a key that expires after forty requests' },
  context: { most: 3, because: 'other forms at one read in many, or after a key has rested' },
  errors: { most: 1, because: 'another body where one label id is malformed' },
  isolation: { most: 4, because: 'their texts and labels where no reply names them, and an odd spelling of one id' },
  keys: { most: 1, because: 'needs a key, an operation and a record together' },
  labels: { most: 12, because: 'needs a key, an operation and a record together, or two writes within milliseconds' },
  limiter: {
    most: 4,
    because: 'a limit that one key or method lacks, and clocks and penalties that are off now and then',
  },
  scopes: { most: 4, because: 'a scope is not asked for at one moment, or by one odd spelling' },
  service: { most: 1, because: 'an endpoint that always answers 501 may be down' },
  upload: { most: 4, because: 'a file that is lost or refused by its age or its neighbours' },
};
