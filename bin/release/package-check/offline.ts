import { runCommand } from './command.ts';

/** A command prefix that leaves only the loopback network, if Linux allows it to this user. */
export async function offlinePrefix(): Promise<readonly string[]> {
  const prefix = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  const [program = '', ...args] = prefix;
  const works = await runCommand(program, [...args, 'true'], { cwd: '/', env: process.env }).then(
    () => true,
    () => false,
  );
  return works ? prefix : [];
}
