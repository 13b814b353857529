import { BlockList } from 'node:net';
import { expect, it } from 'vitest';
import { nearby, without } from './upload-destination.ts';

it('takes one address out of the ranges, and only that', () => {
  const list = new BlockList();
  for (const range of without(nearby, '10.0.0.1')) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  const blocked = ['10.0.0.0', '10.0.0.1', '10.0.0.2', '10.255.255.255', '127.0.0.1', '192.168.1.1', '9.255.255.255'];
  expect(blocked.map((address) => list.check(address))).toEqual([true, false, true, true, true, true, false]);
  expect(without(nearby, 'fd00::1')).toEqual(nearby);
});
