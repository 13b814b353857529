/** What the codes of the file system mean for somebody who gave a path, and what to do about it. */
const meanings: Readonly<Record<'read' | 'written', Readonly<Record<string, string>>>> = {
  read: {
    ENOENT: 'there is no such file; check the path',
    ENOTDIR: 'a part of the path is a file and no folder; check the path',
    EISDIR: 'it is a folder; give a file',
    EACCES: 'you may not read this file; change its permissions',
  },
  written: {
    ENOENT: 'its folder does not exist; make the folder, or give another path',
    ENOTDIR: 'a part of the path is a file and no folder; give another path',
    EISDIR: 'it is a folder; give a file',
    EACCES: 'you may not write there; give another path',
    EROFS: 'the file system is read-only; give another path',
    ENOSPC: 'the disk is full; free some space, or give another path',
  },
};

/** `cannot be read: there is no such file; check the path`: the problem and the remedy, to stand after the name of a file. */
export function fileProblem(error: unknown, done: 'read' | 'written'): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = error instanceof Error ? error.message : String(error);
  return `cannot be ${done}: ${meanings[done][code] ?? text}`;
}
