import { isSea } from 'node:sea';

/** The words that start this program in a shell: the executable as it was started, else what npm has installed. */
export const ownCommand = (): string[] => (isSea() ? [process.argv0] : ['npx', 'partnerkit']);
