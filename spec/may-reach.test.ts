import { expect, it } from 'vitest';
import { mayReach } from './may-reach.ts';

const abroad = ['93.184.216.34', '2606:2800:21f::1'];
const [here, lan] = [['127.0.0.1'], ['10.1.2.3']];

it.each([
  ['52.216.1.1', true, true, true],
  ['2600:1fa0::1', true, true, true],
  ['127.0.0.1', false, true, true],
  ['::1', false, true, true],
  ['192.168.1.10', false, true, true],
  ['fd12:3456::1', false, true, true],
  ['::ffff:10.0.0.1', false, true, true],
  ['169.254.169.254', false, false, false],
  ['::ffff:169.254.169.254', false, false, false],
  ['fe80::1', false, false, false],
  ['fd00:ec2::254', false, false, false],
  ['64:ff9b::808:808', true, true, true],
  ['64:ff9b::7f00:1', false, true, true],
  ['64:ff9b::a00:1', false, true, true],
  ['64:ff9b::a9fe:a9fe', false, false, false],
  ['64:ff9b:1::1', false, true, true],
  ['2002:808:808::1', true, true, true],
  ['2002:c0a8:101::1', false, true, true],
  ['2002:a9fe:a9fe::', false, false, false],
  ['::127.0.0.1', false, true, true],
  ['::10.0.0.1', false, true, true],
  ['::169.254.169.254', false, false, false],
  ['::ffff:0:127.0.0.1', false, true, true],
  ['::ffff:0:169.254.169.254', false, false, false],
  ['fec0::1', false, true, true],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', false, false, false],
  ['::', false, false, false],
  ['ff02::1', false, false, false],
  ['255.255.255.255', false, false, false],
  ['0.0.0.0', false, false, false],
  ['224.0.0.1', false, false, false],
])('%s: from abroad %s, from this machine %s, from its network %s', (address, ...expected) => {
  expect([abroad, here, lan].map((deployment) => mayReach(address, deployment))).toEqual(expected);
});

it('a deployment may always name itself', () => {
  expect(mayReach('169.254.10.1', ['169.254.10.1'])).toBe(true);
});
