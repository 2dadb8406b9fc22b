import { describe, expect, test } from '@jest/globals';

import {
  type End,
  findEnd,
  type HolderFacts,
  isInForce,
  type Stop,
} from '../../functions/access/modules/credential-holders/holder/rules.ts';

const ISSUED = '2026-01-02T00:00:00.000Z';

/** The stops of a target, and the end of a credential that was issued at {@link ISSUED}. */
const STOPS: readonly [string, Stop | undefined, End | undefined][] = [
  ['never stopped', undefined, undefined],
  ['stopped', {}, 'agents_stopped'],
  ['stopped, and lifted before it was issued', { liftedAt: '2026-01-01T00:00:00.000Z' }, undefined],
  ['stopped, and lifted at that moment', { liftedAt: ISSUED }, 'ended_by_stop'],
  ['stopped, and lifted afterwards', { liftedAt: '2026-01-03T00:00:00.000Z' }, 'ended_by_stop'],
];

/** The memberships that a credential requires and the one that its user has, and whether that is sufficient. */
const MEMBERSHIPS: readonly [requires: string | undefined, has: string | undefined, isHeld: boolean][] = [
  [undefined, undefined, true],
  [undefined, 'om_1', true],
  ['any', 'om_1', true],
  ['any', undefined, false],
  ['om_1', 'om_1', true],
  ['om_1', 'om_2', false],
  ['om_1', undefined, false],
];

const FACTS: HolderFacts = {
  issuedAt: ISSUED,
  stops: [],
  hasOrganization: true,
  hasUser: true,
  membershipId: 'om_1',
  requires: 'om_1',
};

/** Every combination with its expected end: the first of the four that applies. */
const CELLS = STOPS.flatMap(([, stop, byStop]) =>
  [true, false].flatMap((hasOrganization) =>
    [true, false, undefined].flatMap((hasUser) =>
      MEMBERSHIPS.map(([requires, membershipId, isHeld]) => ({
        facts: { issuedAt: ISSUED, stops: [undefined, stop], hasOrganization, hasUser, membershipId, requires },
        end: [
          byStop,
          hasOrganization ? undefined : 'organization_deleted',
          hasUser === false ? 'user_deleted' : undefined,
          isHeld ? undefined : 'membership_ended',
        ].find((end) => end !== undefined),
      })),
    ),
  ),
);

describe('what justified a credential', () => {
  test('holds in exactly the cells of the table', () => {
    expect(CELLS).toHaveLength(210);
    for (const { facts, end } of CELLS) expect({ facts, end: findEnd(facts) }).toEqual({ facts, end });
  });

  test.each(STOPS)('is ended or not if its environment, its organization or its user was %s', (_, stop, end) => {
    for (const at of [0, 1, 2]) {
      const stops = [undefined, undefined, undefined].map((none, index) => (index === at ? stop : none));
      expect(findEnd({ ...FACTS, stops })).toBe(end);
    }
  });

  test('is admitted again as soon as the stop is lifted', () => {
    expect(STOPS.map(([, stop]) => isInForce(stop))).toEqual([false, true, false, false, false]);
  });
});
