import { describe, expect, test } from '@jest/globals';

import { internetAddress } from '../../functions/kernel/internet-address.ts';

describe('An internet address', () => {
  test.each([
    ['198.51.100.10', '198.51.100.10'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::1:8080', '2001:db8::1:8080'],
    ['::ffff:198.51.100.10', '198.51.100.10'],
    ['0:0:0:0:0:FFFF:c633:640a', '198.51.100.10'],
  ])('%s has one canonical spelling', (text, address) => {
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
  ])('%j is not an address', (text) => {
    expect(internetAddress(text)).toBeUndefined();
  });
});
