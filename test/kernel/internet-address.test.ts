import { describe, expect, test } from '@jest/globals';

import { countedAddress, internetAddress } from '../../functions/kernel/internet-address.ts';

describe('An internet address', () => {
  test.each([
    ['198.51.100.10', '198.51.100.10'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::1:8080', '2001:db8::1:8080'],
    ['::ffff:198.51.100.10', '198.51.100.10'],
  ])('%s has one spelling', (text, address) => {
    expect(internetAddress(text)).toBe(address);
  });

  test.each([
    '',
    'localhost',
    '198.51.100',
    '198.51.100.256',
    '198.51.100.010',
    '198.51.100.10.',
    '2001:db8::1::2',
    '12345::1',
    '198.51.100.10:443',
    '[2001:db8::1]:443',
    'fe80::1%eth0',
    '1.2.3.4, 5.6.7.8',
  ])('%j is none', (text) => {
    expect(internetAddress(text)).toBeUndefined();
  });
});

describe('What attempts are counted by', () => {
  test('an IPv4 address counts by itself, however it is written', () => {
    expect(countedAddress('198.51.100.10')).toBe('198.51.100.10');
    expect(countedAddress('::ffff:198.51.100.10')).toBe('198.51.100.10');
    expect(countedAddress('198.51.100.11')).toBe('198.51.100.11');
  });

  test('all addresses of one /64 count as one, and another /64 as another', () => {
    const own = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:1:2::', '2001:db8:1:2:3::4'];
    expect(new Set(own.map(countedAddress))).toEqual(new Set(['2001:db8:1:2::/64']));
    expect(countedAddress('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(countedAddress('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(countedAddress('::1')).toBe('0:0:0:0::/64');
  });

  test('what a back end states and is no address counts by itself', () => {
    expect(countedAddress('a device')).toBe('a device');
    expect(countedAddress('fe80::1%eth0')).toBe('fe80::1%eth0');
  });
});
