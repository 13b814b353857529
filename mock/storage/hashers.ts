import { createCRC32, createCRC64, createMD5, createSHA1, createSHA256, createSHA512 } from 'hash-wasm';

/** Hashes for the digests of an object store. Loaded only for a PUT that has one. */
export const hashers = {
  md5: createMD5,
  crc32: () => createCRC32(),
  crc32c: () => createCRC32(0x82f63b78),
  crc64nvme: () => createCRC64('9a6c9329ac4bc9b5'),
  sha1: createSHA1,
  sha256: createSHA256,
  sha512: createSHA512,
};
