/**
 * Addresses that upload URLs may or may not lead to. The upload URL comes from the deployment, and we may run inside a network
 * that the deployment must not reach through us. This module imports nothing, so that k6 can load it.
 */

type V4 = `${number}.${number}.${number}.${number}/${number}`;

/** Addresses where no file storage is: link-local with the metadata services of clouds, unspecified, multicast, broadcast. */
const nowhere: readonly V4[] = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '255.255.255.255/32',
];

/** This machine and private networks. */
const here: readonly V4[] = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'];

/** The IPv6 ranges that lead to an IPv4 range: NAT64, 6to4, translated and the old compatible form. Node treats mapped addresses as IPv4. */
function leadingTo(range: V4): string[] {
  const [address = '', bits = ''] = range.split('/');
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const last = 96 + Number(bits);
  return [
    `64:ff9b::${hex}/${last}`,
    `::ffff:0:${hex}/${last}`,
    `2002:${hex}::/${16 + Number(bits)}`,
    `::${hex}/${last}`,
  ];
}

/** Addresses that are never allowed. */
export const neverReached: readonly string[] = [
  ...nowhere,
  // The old compatible form of 0.0.0.0/8 contains ::1.
  ...nowhere.slice(1).flatMap(leadingTo),
  ...leadingTo('0.0.0.0/8').slice(0, 3),
  '::/128',
  'fe80::/10',
  'fd00:ec2::/32',
  'ff00::/8',
  // Teredo tunnels, whose relays no longer exist.
  '2001::/32',
];

/** Addresses that are allowed only for a deployment with a nearby address. Includes local NAT64 and site-local addresses. */
export const nearby: readonly string[] = [
  ...here,
  ...here.flatMap(leadingTo),
  '::1/128',
  'fc00::/7',
  'fec0::/10',
  '64:ff9b:1::/48',
];

/** The ranges without one IPv4 address of theirs, so that a proxy in them is reached. */
export const without = (ranges: readonly string[], address: string): readonly string[] =>
  ranges.flatMap((range) => {
    const [network = '', bits = ''] = range.split('/');
    const [start, size, at] = [numberOf(network), 2 ** (32 - Number(bits)), numberOf(address)];
    // Of another family nothing is a number.
    if (!(at >= start && at < start + size)) return [range];
    const halves = [start, start + size / 2].map((half) => `${dotted(half)}/${Number(bits) + 1}`);
    return size === 1 ? [] : without(halves, address);
  });

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const dotted = (number: number) => [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
