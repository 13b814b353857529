/** The mock's public face. */

export { type ControlOptions, type ListeningMock, type ListenOptions, listen } from './adapters/node-http.ts';
// These stand in place of those that cannot listen.
export { createServedMock as createMock, type ServedMock as Mock } from './create-served-mock.ts';
export * from './in-process.ts';
