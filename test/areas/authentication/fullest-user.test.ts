import { beforeEach, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { MOST_FACTORS } from '../../../functions/proofs/mfa/factor/entity.ts';
import { MOST_SESSIONS } from '../../../functions/tenancy/sessions/settings.ts';
import { MAX_IDENTITIES, stageIdentity } from '../../../functions/proofs/modules/credentials/public.ts';
import { findUser, touchUserVersion } from '../../../functions/tenancy/modules/users/public.ts';
import { call, idle, reset } from '../../support/service.ts';
import { addSession } from '../../support/users.ts';
import { authenticate, EMAIL, environment, makeUser, mailedCode, vendor } from './inside.ts';

beforeEach(async () => {
  await reset();
});

/** A user with an unverified address and the maximum number of everything. */
async function fullestUser(): Promise<string> {
  const [environmentId, id] = [await environment(), await makeUser({ emailVerified: false })];
  await call('PUT', '/x/sessions/settings', { max_sessions: MOST_SESSIONS });
  for (let at = 0; at < MOST_SESSIONS; at += 1) await addSession(id);
  const factors = `/user_management/users/${id}/auth_factors`;
  for (let at = 0; at < MOST_FACTORS; at += 1) expect((await call('POST', factors, { type: 'totp' })).status).toBe(201);
  for (let at = 0; at < MAX_IDENTITIES; at += 1) {
    await applyWork(environmentId, systemActor, async (unit) => {
      const user = await findUser(environmentId, id);
      if (user === undefined) throw new Error('There is no such user');
      touchUserVersion(unit, user);
      const name = { provider: 'GoogleOAuth', issuer: 'https://accounts.google.com', subject: `${at}` };
      await stageIdentity(unit, environmentId, id, name);
    });
  }
  return id;
}

test('the first user to verify an address gets the account, and all credentials that were set before are removed', async () => {
  const id = await fullestUser();
  const organization = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
  const invitation = { email: EMAIL, organization_id: organization.body.id };
  const invited = await call<{ token: string }>('POST', '/user_management/invitations', invitation);
  expect((await call('POST', '/user_management/magic_auth', { email: EMAIL })).status).toBe(201);
  await idle();
  const { status, body } = await authenticate({
    grant_type: vendor('magic-auth:code'),
    email: EMAIL,
    code: await mailedCode(),
    invitation_token: invited.body.token,
  });
  expect([status, body]).toMatchObject([200, { user: { id, email_verified: true } }]);
  expect((await call('GET', `/user_management/users/${id}/sessions`)).body).toMatchObject({ data: [{ user_id: id }] });
  expect((await call('GET', `/user_management/users/${id}/auth_factors`)).body).toMatchObject({ data: [] });
  expect((await call('GET', `/user_management/users/${id}/identities`)).body).toEqual([]);
});
