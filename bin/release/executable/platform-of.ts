/** The platform of an executable, by its ELF, Mach-O or PE header; undefined for other files. */
export function platformOf(file: Buffer): string | undefined {
  if (file.toString('latin1', 0, 4) === '\x7fELF') return elf[file.readUInt16LE(18)];
  if (file.readUInt32LE(0) === 0xfeedfacf) return machO[file.readUInt32LE(4)];
  if (file.toString('latin1', 0, 2) !== 'MZ') return undefined;
  const header = file.readUInt32LE(0x3c);
  return file.toString('latin1', header, header + 4) === 'PE\0\0' ? pe[file.readUInt16LE(header + 4)] : undefined;
}

/** The numbers of processors in each format. */
const elf: Readonly<Record<number, string>> = { 62: 'linux-x64', 183: 'linux-arm64' };
const machO: Readonly<Record<number, string>> = { 16777228: 'darwin-arm64', 16777223: 'darwin-x64' };
const pe: Readonly<Record<number, string>> = { 34404: 'win32-x64', 43620: 'win32-arm64' };

/** Whether this Node contains a program: building it in changes this mark from 0 to 1. */
export const carriesProgram = (file: Buffer): boolean =>
  file.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1');
