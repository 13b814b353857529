import type { Profile } from '../../spec/files/profile-schema.ts';
import { createMock, type MockOptions } from '../create-mock.ts';
import { memoryFiles } from '../storage/memory-files.ts';
import { type Sent, send } from './contract-client.ts';

/** For tests: a mock of that profile, and a way to ask it things that does not hold its replies against the contract. */
export async function mockOf(profile: Profile, options: MockOptions = {}) {
  const mock = await createMock({ rateLimit: false, files: memoryFiles(), ...options, profile });
  /** @param line method and URL, as in `GET /v1/labels` */
  const ask = async (line: string, question?: Sent) => {
    const [method = '', address = ''] = line.split(' ');
    const url = address.replace(/^https?:\/\/[^/]+/, '');
    const { status, headers, body: json, trace } = await send(mock, method, url, question);
    return { status, headers, json, refused: trace.refused, why: trace.why };
  };
  return { mock, ask };
}
