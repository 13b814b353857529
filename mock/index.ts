/** The mock's public face. */

export { type ListeningMock, type ListenOptions, listen } from './adapters/node-http.ts';
export { type Clock, createClock } from './clock.ts';
export { createMock, defaultBodyLimit, type Mock, type MockOptions } from './create-mock.ts';
export type { ApiReply, ApiRequest } from './message.ts';
export type { TenantSeed } from './seed/schema.ts';
