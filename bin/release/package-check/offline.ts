import { runCommand } from './command.ts';

/** Where Linux lets this user have a network of its own: the words before a command that give it one with nothing but loopback. */
export async function offlinePrefix(): Promise<readonly string[]> {
  const prefix = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  const [program = '', ...args] = prefix;
  const works = await runCommand(program, [...args, 'true'], { cwd: '/', env: process.env }).then(
    () => true,
    () => false,
  );
  return works ? prefix : [];
}
