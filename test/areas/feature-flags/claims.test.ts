import { beforeEach, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

import { call, reset, sdk, service } from '../../support/service.ts';
import { newFlag, newOrganization, target } from './support.ts';

const PASSWORD = 'quiet-Lantern-84-under-oak';
const email = 'ada@example.com';
let user: string;

beforeEach(async () => {
  await reset();
  const person = { email, password: PASSWORD, email_verified: true };
  user = (await call<{ id: string }>('POST', '/user_management/users', person)).body.id;
});

const signIn = async () => {
  const { clientId } = await service();
  return sdk().userManagement.authenticateWithPassword({ clientId, email, password: PASSWORD });
};

const refresh = async (refreshToken: string, organizationId?: string) => {
  const { clientId } = await service();
  const named = organizationId === undefined ? {} : { organizationId };
  return sdk().userManagement.authenticateWithRefreshToken({ clientId, refreshToken, ...named });
};

const join = (organization_id: string) =>
  call('POST', '/user_management/organization_memberships', { user_id: user, organization_id });

test('an access token without an organization contains the flags of the user, current at each refresh', async () => {
  const acme = await newOrganization();
  await newFlag('beta', { enabled: true });
  await newFlag('of-acme', { enabled: true });
  await target('of-acme', acme);
  const first = await signIn();
  expect(decodeJwt(first.accessToken)).not.toHaveProperty('feature_flags');
  await target('beta', user);
  const second = await refresh(first.refreshToken);
  expect(decodeJwt(second.accessToken).feature_flags).toEqual(['beta']);
  expect(decodeJwt((await signIn()).accessToken).feature_flags).toEqual(['beta']);
  await call('PUT', '/feature-flags/beta/disable');
  expect(decodeJwt((await refresh(second.refreshToken)).accessToken)).not.toHaveProperty('feature_flags');
});

test('an access token contains the flags of the session’s organization, and not those of the user’s other organizations', async () => {
  const acme = await newOrganization();
  const other = await newOrganization('Other');
  for (const slug of ['of-user', 'of-acme', 'of-other']) await newFlag(slug, { enabled: true });
  await newFlag('all', { enabled: true, default_value: true });
  await target('of-user', user);
  await target('of-acme', acme);
  await target('of-other', other);
  await join(acme);
  const { accessToken, refreshToken } = await signIn();
  expect(decodeJwt(accessToken)).toMatchObject({ org_id: acme, feature_flags: ['all', 'of-acme', 'of-user'] });
  await join(other);
  const moved = await refresh(refreshToken, other);
  expect(decodeJwt(moved.accessToken)).toMatchObject({ org_id: other, feature_flags: ['all', 'of-other', 'of-user'] });
});

test('an access token contains all flags or none: above 1,024 bytes it reports that they are omitted, and the sign-in succeeds', async () => {
  const slugs = Array.from({ length: 16 }, (_, at) => `f${String(at).padStart(2, '0')}${'x'.repeat(61)}`);
  for (const slug of slugs.slice(0, 15)) await newFlag(slug, { enabled: true, default_value: true });
  // 15 slugs of 64 characters with quotes and commas take 1,006 bytes; 16 take 1,073.
  const first = await signIn();
  expect(decodeJwt(first.accessToken).feature_flags).toEqual(slugs.slice(0, 15));
  await newFlag(slugs[15] ?? '', { enabled: true, default_value: true });
  const claims = decodeJwt((await signIn()).accessToken);
  expect(claims).toMatchObject({ feature_flags_omitted: true });
  expect(claims).not.toHaveProperty('feature_flags');
});
