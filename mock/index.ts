/** The mock's public face. */

// These stand in place of those that cannot listen.
export { createServedMock as createMock, type Mock } from './adapters/create-served-mock.ts';
export {
  type ControlOptions,
  type ListeningMock,
  type ListenOptions,
  listen,
  type Timeouts,
} from './adapters/node-http.ts';
export * from './in-process.ts';
