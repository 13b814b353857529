/**
 * The timers as they were when the mock was loaded. Latency and time limits are real time: under the fake timers of a test
 * they would never end, and the test would wait for a reply or for the end of the mock.
 */
export const { setTimeout, clearTimeout } = globalThis;
