/** Defects that whole runs do not find at p = 1 on the near network, as measured, by the reason. `npm run proof` fails where it misses another one. */
export const notSeen: Readonly<Record<string, readonly string[]>> = {
  'no run sends forty requests with one narrow key, and what is refused from then on may be blocked': [
    'auth/narrow-key-expires',
  ],
  'every field of a context may be absent, so a record is a context as well': ['context/is-the-record'],
  'anybody may write the same words': ['isolation/their-text-in-contexts'],
  'a lost write shows only in the reply to another write, which comes later than 50 ms': [
    'labels/two-writers-overwrite-on-link',
    'labels/two-writers-overwrite-on-site',
  ],
  'unclear: a 429 may come from a front that throttles whom it has refused, or a request that is served at other times':
    ['auth/no-key-always-429', 'auth/revoked-key-always-429'],
  'each run writes an odd id in a few places of many, so about every second run shows it': ['labels/holder-by-pattern'],
  'what comes within half a minute only lags': ['labels/contexts-ten-seconds-behind'],
  'unclear: the measured key has no limit for one operation, and no other key shows the same': [
    'limiter/none-for-getConversationContext',
    'limiter/none-for-listLabels',
  ],
};
