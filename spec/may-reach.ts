import { BlockList, isIP } from 'node:net';
import { nearby, neverReached } from './upload-destination.ts';

const listOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), familyOf(network));
  }
  return list;
};

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const never = listOf(neverReached);
const near = listOf(nearby);

/** Whether an address belongs to this machine or to a private network. */
export const isNearby = (address: string): boolean => near.check(address, familyOf(address));

/** Whether an address belongs to a range such as `10.0.0.0/8`. No address belongs to what is no range. */
export function isWithin(address: string, range: string): boolean {
  try {
    return listOf([range]).check(address, familyOf(address));
  } catch {
    return false;
  }
}

/**
 * Whether an upload URL of a deployment may lead to this address.
 * @param deployment addresses of the deployment. Nearby addresses are allowed only if the deployment has a nearby address itself
 */
export function mayReach(address: string, deployment: readonly string[]): boolean {
  if (deployment.includes(address)) return true;
  if (never.check(address, familyOf(address))) return false;
  return !isNearby(address) || deployment.some(isNearby);
}
