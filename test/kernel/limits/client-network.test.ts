import { describe, expect, test } from '@jest/globals';

import { computeNetwork } from '../../../functions/kernel/limits/client-network.ts';

describe('the key under which a client’s attempts are counted', () => {
  test('is its IPv4 address, in every spelling', () => {
    for (const written of ['203.0.113.7', ' 203.0.113.7 ', '::ffff:203.0.113.7', '::FFFF:cb00:7107']) {
      expect(computeNetwork(written)).toBe('203.0.113.7');
    }
    expect(computeNetwork('203.0.113.8')).not.toBe(computeNetwork('203.0.113.7'));
  });

  test('is its /64 network for IPv6, in which a client can use any address', () => {
    const one = computeNetwork('2001:db8:1:2::1');
    for (const other of ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002::9', '2001:db8:1:2::203.0.113.7']) {
      expect(computeNetwork(other)).toBe(one);
    }
    expect(computeNetwork('2001:db8:1:3::1')).not.toBe(one);
    expect(computeNetwork('fe80::1%eth0')).toBe(computeNetwork('fe80::2'));
    expect(computeNetwork('::1')).toBe('0:0:0:0::/64');
    expect(computeNetwork('1:2:3:4:5:6:7:8')).toBe('1:2:3:4::/64');
  });

  test('is the text itself if a back end sends no valid address', () => {
    expect(computeNetwork('Unknown')).toBe('unknown');
    expect(computeNetwork('')).toBe('');
    expect(computeNetwork('2001:db8::1, 203.0.113.7')).toBe('2001:db8::1, 203.0.113.7');
  });
});
