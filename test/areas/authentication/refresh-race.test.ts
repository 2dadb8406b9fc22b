import { beforeEach, expect, test } from '@jest/globals';

import { refreshTokenGrant } from '../../../functions/authentication/grant/refresh-token.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { findSettings } from '../../../functions/kernel/environment-settings.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { signInSettings } from '../../../functions/email-proofs/public.ts';
import { call, idle, reset, sdk, service } from '../../support/service.ts';
import { environment, makeUser, organizationWith, PASSWORD } from './inside.ts';

beforeEach(async () => {
  await reset();
});

/** Refreshes a session into an organization, up to its commit. */
async function switched(refreshToken: string, organizationId: string): Promise<Unit> {
  const environmentId = await environment();
  const unit = new Unit(environmentId, systemActor);
  const rejected = () => {
    throw new Error('The refresh is refused');
  };
  const context = {
    environmentId,
    settings: await findSettings(environmentId, signInSettings),
    origin: { client: 'confidential', ipAddress: null, userAgent: null } as const,
    unit,
    fail: rejected,
    invalid: rejected,
    page: undefined,
    onSession: () => undefined,
  };
  const { clientId } = await service();
  const asked = { client_id: clientId, refresh_token: refreshToken, organization_id: organizationId };
  const body = { grant_type: 'refresh_token', ...asked } as const;
  expect((await refreshTokenGrant(context, body)).organization_id).toBe(organizationId);
  return unit;
}

test.each([
  ['deactivated', 'PUT', '/deactivate'],
  ['ended', 'DELETE', ''],
] as const)('no session switches to an organization whose membership is concurrently %s', async (_, method, action) => {
  const userId = await makeUser();
  await organizationWith(userId, 'One');
  const { clientId } = await service();
  const { refreshToken } = await sdk().userManagement.authenticateWithPassword({
    clientId,
    email: 'ada@example.com',
    password: PASSWORD,
  });
  const two = await organizationWith(userId, 'Two');
  await idle();
  const memberships = await sdk().userManagement.listOrganizationMemberships({ userId, organizationId: two });
  const unit = await switched(refreshToken, two);
  const path = `/user_management/organization_memberships/${memberships.data[0]?.id ?? ''}${action}`;
  expect((await call(method, path)).status).toBe(200);
  expect(await unit.commit()).toEqual({ kind: 'conflict' });
  await expect(
    sdk().userManagement.authenticateWithRefreshToken({ clientId, refreshToken, organizationId: two }),
  ).rejects.toMatchObject({ error: 'organization_membership_not_found' });
});
