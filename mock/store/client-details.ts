import type { ClientSeed } from '../seed/schema.ts';

/** A client in replies. Every contact says whether it is the primary one. */
export function clientDetails({ emails, phoneNumbers, ...client }: ClientSeed) {
  return {
    ...client,
    ...(emails && { emails: emails.map(withPrimary) }),
    ...(phoneNumbers && { phoneNumbers: phoneNumbers.map(withPrimary) }),
  };
}

const withPrimary = <T extends { isPrimary?: boolean | undefined }>(contact: T) => ({
  ...contact,
  isPrimary: contact.isPrimary ?? false,
});
