import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, call, reset } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';

interface Timed {
  id: string;
  created_at: string;
  updated_at: string;
  expires_at: string;
}

const email = 'ada@example.com';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

beforeEach(async () => {
  await reset();
  // The read and the encryption take so long that two readings of the clock would differ.
  await addFault({ target: 'table', kind: 'delay', operations: ['GetItem', 'Query'], delay_ms: 5 });
  await addFault({ target: 'keys', kind: 'delay', delay_ms: 5 });
});

const lasted = ({ created_at: from, expires_at: to }: Timed): number => Date.parse(to) - Date.parse(from);

describe('exactly the documented time after created_at, it expires:', () => {
  test.each([
    ['a magic auth code', 10 * MINUTE_MS, '/user_management/magic_auth', () => ({ email })],
    ['a password reset', 60 * MINUTE_MS, '/user_management/password_reset', () => ({ email })],
    ['an invitation', 7 * DAY_MS, '/user_management/invitations', () => ({ email: 'grace@example.com' })],
  ])('%s', async (_what, milliseconds, path, body) => {
    await addUser(email);
    const { status, body: made } = await call<Timed>('POST', path, body());
    expect({ status, lasted: lasted(made) }).toEqual({ status: 201, lasted: milliseconds });
  });

  test('a challenge of a factor', async () => {
    const factor = await call<Timed>('POST', '/auth/factors/enroll', { type: 'generic_otp' });
    const { body: challenge } = await call<Timed>('POST', `/auth/factors/${factor.body.id}/challenge`, {});
    expect(lasted(challenge)).toBe(10 * MINUTE_MS);
  });

  test('an invitation that was sent again, from the time of the last mail', async () => {
    const path = '/user_management/invitations';
    const { body: made } = await call<Timed>('POST', path, { email: 'grace@example.com', expires_in_days: 3 });
    const { body: resent } = await call<Timed>('POST', `${path}/${made.id}/resend`, {});
    expect(Date.parse(resent.expires_at) - Date.parse(resent.updated_at)).toBe(3 * DAY_MS);
  });
});

describe('the time of a final change equals updated_at for', () => {
  test.each([
    ['accept', 'accepted_at'],
    ['revoke', 'revoked_at'],
  ])('an invitation: %s', async (verb, member) => {
    await addUser(email);
    const { body: organization } = await call<Timed>('POST', '/organizations', { name: 'Acme' });
    const invited = { email, organization_id: organization.id };
    const { body: made } = await call<Timed>('POST', '/user_management/invitations', invited);
    const { status, body } = await call('POST', `/user_management/invitations/${made.id}/${verb}`);
    expect({ status, at: body[member] }).toEqual({ status: 200, at: body.updated_at });
  });
});
