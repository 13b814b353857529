/**
 * Where bytes may be sent that a deployment asks for by an upload URL. The URL is what a reply says, and whoever runs us may
 * stand inside a network that the deployment should not be able to reach through us. Pure, so that k6 can import it too.
 */

/** Nobody stores files there: link-local with the metadata services of clouds, unspecified, multicast, broadcast. */
export const neverReached = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  'fe80::/10',
  'fd00:ec2::/32',
  'ff00::/8',
] as const;

/** This machine and its own networks: reached only for a deployment that is there itself. */
export const nearby = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
] as const;
