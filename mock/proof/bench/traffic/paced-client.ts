import { connect, type Socket } from 'node:net';

/**
 * A process that sends requests at a rate, whatever the replies do, and tells how long each took from the moment it was due:
 * tools that wait for a reply before the next request do not see the queue. Arguments: URL, method, headers, rate, seconds.
 */
const [address = '', method = '', headers = '{}', rate = '', duration = ''] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(address);
const fields = Object.entries(JSON.parse(headers)).map(([name, value]) => `${name}: ${value}\r\n`);
const request = `${method} ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${fields.join('')}\r\n`;
const perMillisecond = Number(rate) / 1000;
const total = Math.floor(Number(rate) * Number(duration));

const idle: Socket[] = [];
const due: number[] = [];
const took: number[] = [];

function open(): Promise<void> {
  const socket = connect(Number(port), hostname).setNoDelay(true);
  let missing = -1;
  socket.on('data', (chunk) => {
    if (missing < 0) {
      const text = chunk.toString('latin1');
      // Heads of this size always come in one piece.
      missing = text.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    }
    missing -= chunk.length;
    if (missing > 0) return;
    missing = -1;
    took.push(performance.now() - (waiting.get(socket) ?? 0));
    idle.push(socket);
    send();
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('connect', () => {
      idle.push(socket);
      resolve();
    });
  });
}

const waiting = new Map<Socket, number>();

function send(): void {
  while (due.length > 0 && idle.length > 0) {
    const socket = idle.pop();
    const at = due.shift();
    if (socket === undefined || at === undefined) return;
    waiting.set(socket, at);
    socket.write(request);
  }
}

await Promise.all(Array.from({ length: 64 }, open));
const startedAt = performance.now();
let sent = 0;
const tick = () => {
  const now = performance.now();
  for (const until = Math.min(total, (now - startedAt) * perMillisecond); sent < until; sent++) {
    due.push(startedAt + sent / perMillisecond);
  }
  send();
  if (took.length < total && now - startedAt < (Number(duration) + 5) * 1000) setTimeout(tick, 1);
  else finish();
};

function finish(): void {
  // The first second belongs to connections and compilers.
  const counted = took.slice(Math.floor(Math.min(Number(rate), total / 4))).sort((a, b) => a - b);
  const at = (part: number) => counted[Math.min(counted.length - 1, Math.floor(counted.length * part))];
  process.stdout.write(JSON.stringify({ replies: took.length, total, p50: at(0.5), p99: at(0.99) }));
  process.exit();
}

tick();
