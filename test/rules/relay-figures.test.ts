import { expect, test } from '@jest/globals';

import { eventNames } from '../../functions/kernel/events/catalogue/names.ts';
import { computeFigures } from '../../functions/record/events/relay/figures.ts';

const readValues = (names: readonly string[]) =>
  Object.fromEntries(Object.entries(computeFigures(names)).map(([name, { value }]) => [name, value]));

test('the metrics of the relay count sign-ins and failed attempts among the events that reached the bus', () => {
  expect(
    readValues([
      'session.created',
      'authentication.password_succeeded',
      'session.created',
      'authentication.password_failed',
      'organization_domain.verification_failed',
    ]),
  ).toEqual({ relayed: 5, signIns: 2, signInsFailed: 1 });
});

test('the metrics of the relay leave sign-ins out if there are none', () => {
  expect(readValues(['user.created', 'session.revoked'])).toEqual({ relayed: 2 });
});

test('the metrics of the relay count every event of the catalogue for a failed sign-in', () => {
  const failed = eventNames.filter((name) => readValues([name]).signInsFailed === 1);
  expect(failed).toEqual(eventNames.filter((name) => name.startsWith('authentication.') && name.endsWith('_failed')));
  expect(failed.length).toBeGreaterThan(5);
});
