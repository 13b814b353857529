import { request } from 'node:http';

/** A process that PUTs bytes to an address and prints the milliseconds until the reply. Arguments: URL, bytes. */
const [url = '', size = ''] = process.argv.slice(2);
const piece = Buffer.alloc(64 * 1024, 'partnerkit ');

const put = (address: string) =>
  new Promise<void>((resolve, reject) => {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': size };
    const outgoing = request(address, { method: 'PUT', headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`the upload was answered with ${response.statusCode}`));
      });
    }).on('error', reject);
    let left = Number(size);
    const write = () => {
      while (left > 0) {
        const next = left < piece.length ? piece.subarray(0, left) : piece;
        left -= next.length;
        if (!outgoing.write(next)) {
          outgoing.once('drain', write);
          return;
        }
      }
      outgoing.end();
    };
    write();
  });

const startedAt = performance.now();
await put(url);
process.stdout.write(String(performance.now() - startedAt));
process.exit();
