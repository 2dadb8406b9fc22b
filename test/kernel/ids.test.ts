import { afterEach, describe, expect, test } from '@jest/globals';

import { clock } from '../../functions/kernel/clock.ts';
import { newId, newUlid } from '../../functions/kernel/ids.ts';
import { firstUlidAt, isId, readTime, readUlid } from '../../functions/kernel/id-format.ts';

afterEach(() => clock.reset());

describe('ids', () => {
  test('have their prefix, sort by creation and are unique', () => {
    const ids = Array.from({ length: 5_000 }, () => newId('org'));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => isId('org', id))).toBe(true);
  });

  test('contain their creation time, by the clock of the kernel', () => {
    clock.advance(3_600_000);
    const before = clock.now();
    const time = readTime(newId('org_domain'));
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(clock.now());
  });

  test('use the time of the clock again after it was reset', () => {
    clock.advance(86_400_000);
    const laterId = newUlid();
    clock.reset();
    expect(newUlid() < laterId).toBe(true);
  });

  test.each([
    'org_',
    'org_01',
    'org_01KF000000000000000000000I',
    'org_81KF0000000000000000000000',
    'ORG_01KF0000000000000000000000',
    'user_01KF0000000000000000000000',
    'org_01kf0000000000000000000000',
    'org_01KF00000000000000000000000',
    'org_01KF0000000000000000000000\n',
    '',
  ])('with another format are rejected: %j', (text) => {
    expect(isId('org', text)).toBe(false);
  });

  test('with a prefix of two words are parsed', () => {
    expect(readUlid('org_domain_01KF0000000000000000000000')).toBe('01KF0000000000000000000000');
  });

  test('are between the first possible id of their millisecond and that of the next', () => {
    const ulid = newUlid();
    const time = readTime(ulid);
    expect(firstUlidAt(time) <= ulid).toBe(true);
    expect(firstUlidAt(time + 1) > ulid).toBe(true);
    expect(readTime(firstUlidAt(time))).toBe(time);
    expect(firstUlidAt(-1)).toBe('0'.repeat(26));
  });
});
