/** The public API of the mock. */

// These replace the `createMock` and `Mock` of in-process.ts, which cannot listen.
export { createServedMock as createMock, type Mock } from './adapters/create-served-mock.ts';
export type { ListeningMock, ListenOptions } from './adapters/node-http.ts';
export type { ControlOptions } from './control/control-route.ts';
export * from './in-process.ts';
