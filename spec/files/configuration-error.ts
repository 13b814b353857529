/** A file or an argument of the user cannot be used. The message has a line for each problem, with its place and what to do. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** The meaning of file system error codes for the user who gave the path, and what to do. */
const meanings: Readonly<Record<'read' | 'written', Readonly<Record<string, string>>>> = {
  read: {
    ENOENT: 'there is no such file; check the path',
    ENOTDIR: 'a part of the path is a file, not a folder; check the path',
    EISDIR: 'it is a folder; give a file',
    EACCES: 'permission denied; change the permissions of the file',
  },
  written: {
    ENOENT: 'its folder does not exist; create the folder, or give another path',
    ENOTDIR: 'a part of the path is a file, not a folder; give another path',
    EISDIR: 'it is a folder; give a file',
    EACCES: 'permission denied; give another path',
    EROFS: 'the file system is read-only; give another path',
    ENOSPC: 'the disk is full; free some space, or give another path',
  },
};

/** A message for the place after the name of a file, such as `cannot be read: there is no such file; check the path`. */
export function fileProblem(error: unknown, done: 'read' | 'written'): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = error instanceof Error ? error.message : String(error);
  return `cannot be ${done}: ${meanings[done][code] ?? text}`;
}
