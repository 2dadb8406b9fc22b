import { randomUUID } from 'node:crypto';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { stageIdentity } from '../../../functions/proofs/modules/credentials/public.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { stageEmailVerification } from '../../../functions/proofs/modules/email-proofs/public.ts';
import { findUser, type UserRecord } from '../../../functions/tenancy/modules/users/public.ts';
import { writeMembership, writeUser } from '../../support/user-rows.ts';
import { type Api, type AreaSamples, organization } from './sample.ts';

const user = async ({ environmentId }: Api) => ({ id: await writeUser(environmentId) });

const ssoIdentity = async (api: Api): Promise<Record<string, string>> => {
  const { environmentId } = api;
  const { id } = await user(api);
  let identityId = '';
  await applyWork(environmentId, systemActor, async (unit) => {
    const name = { provider: 'SSO', issuer: 'conn_0', subject: id };
    identityId = (await stageIdentity(unit, environmentId, id, name)).id;
  });
  return { id, identity_id: identityId };
};

const membership = async (api: Api): Promise<Record<string, string>> => {
  const pair = { userId: (await user(api)).id, organizationId: await organization(api) };
  return { id: await writeMembership(api.environmentId, pair) };
};

let counted = 0;
/** An unused address. */
const address = (): string => `person-${(counted += 1)}@acme.example`;

const redirectUri = async ({ create }: Api): Promise<Record<string, string>> => {
  const made = await create('/user_management/redirect_uris', { uri: `https://app-${(counted += 1)}.example.com/cb` });
  // The first redirect URI is the default, which cannot be deleted.
  return made.default === true ? redirectUri({ create } as Api) : { id: String(made.id) };
};

const corsOrigin = async ({ create }: Api): Promise<Record<string, string>> => {
  const origin = `https://app-${(counted += 1)}.example.com`;
  return { id: String((await create('/user_management/cors_origins', { origin })).id) };
};

const hostedResource = async ({ create }: Api): Promise<Record<string, string>> => {
  const uri = `https://mcp-${(counted += 1)}.example.com`;
  return { id: String((await create('/user_management/hosted_oauth_resources', { uri })).id) };
};

const invitation = async ({ create }: Api) => create('/user_management/invitations', { email: address() });

const invitationId = async (api: Api): Promise<Record<string, string>> => ({ id: String((await invitation(api)).id) });

/** An invitation for a user with an account, who can therefore accept it. */
const acceptable = async ({ create, environmentId }: Api): Promise<Record<string, string>> => {
  const email = address();
  const { id: organization_id } = await create('/organizations', { name: 'Acme' });
  await writeUser(environmentId, email);
  return { id: String((await create('/user_management/invitations', { email, organization_id })).id) };
};

const waitlistEntry = async ({ create }: Api) =>
  create('/user_management/waitlists/default/entries', { email: address() });

const waitlist = async (api: Api): Promise<Record<string, string>> => ({
  id: String((await waitlistEntry(api)).waitlist_id),
});

const entryId = async (api: Api): Promise<Record<string, string>> => ({ id: String((await waitlistEntry(api)).id) });

/** A user with an unverified address. */
const stranger = async ({ create }: Api): Promise<Record<string, string>> => ({
  id: String((await create('/user_management/users', { email: address() })).id),
});

const emailVerification = async ({ environmentId }: Api): Promise<Record<string, string>> => {
  const person = await findUser(environmentId, await writeUser(environmentId, address()));
  const unit = new Unit(environmentId, systemActor);
  const { id } = await stageEmailVerification(unit, person as UserRecord);
  await unit.commit();
  return { id };
};

const passwordReset = async ({ create }: Api) => {
  const email = address();
  await create('/user_management/users', { email });
  return create('/user_management/password_reset', { email });
};

export const userManagementSamples: AreaSamples = {
  params: {
    '/user_management/users/{id}': user,
    '/x/user-management/users/{id}/sso_identities': user,
    '/x/user-management/users/{id}/sso_identities/{identity_id}': ssoIdentity,
    '/user_management/users/external_id/{external_id}': async ({ create }) => {
      const external_id = randomUUID();
      await create('/user_management/users', { email: `${external_id}@example.com`, external_id });
      return { external_id };
    },
    '/user_management/organization_memberships': async (api) => ({ user_id: (await user(api)).id }),
    '/user_management/organization_memberships/{id}': membership,
    '/user_management/users/{id}/email_verification/send': stranger,
    '/user_management/users/{id}/email_verification/confirm': stranger,
    '/user_management/users/{id}/email_change/send': stranger,
    '/user_management/users/{id}/email_change/confirm': stranger,
    '/user_management/email_verification/{id}': emailVerification,
    '/user_management/magic_auth/{id}': async ({ create }) => ({
      id: String((await create('/user_management/magic_auth', { email: address() })).id),
    }),
    '/user_management/password_reset/{id}': async (api) => ({ id: String((await passwordReset(api)).id) }),
    '/user_management/redirect_uris/{id}': redirectUri,
    '/x/redirect_uris/{id}/make_default': redirectUri,
    '/x/cors_origins/{id}': corsOrigin,
    '/user_management/hosted_oauth_resources/{id}': hostedResource,
    '/user_management/invitations/{id}': invitationId,
    '/user_management/invitations/by_token/{token}': async (api) => ({ token: String((await invitation(api)).token) }),
    '/user_management/invitations/{id}/accept': acceptable,
    '/user_management/waitlists/{id}': waitlist,
    '/user_management/waitlist_entries/{id}': entryId,
  },
  bodies: {
    'redirect_uris.create': async () => ({ uri: `https://app.acme.example/${randomUUID()}` }),
    'cors_origins.create': async () => ({ origin: `https://${randomUUID()}.acme.example` }),
    'invitations.create': async () => ({ email: address() }),
    'waitlist_entries.create': async () => ({ email: address() }),
    'users.create': async () => ({ email: `${randomUUID()}@example.com` }),
    'users.update': async () => ({ first_name: 'Ada', locale: 'en' }),
    'magic_auth.create': async () => ({ email: address() }),
    'password_reset.create': async (api) => ({ email: String((await passwordReset(api)).email) }),
    'password_reset.confirm': async (api) => ({
      token: String((await passwordReset(api)).password_reset_token),
      new_password: 'tangled violins at dawn',
    }),
    'email_change.send': async () => ({ new_email: address() }),
    'organization_memberships.create': async (api) => ({
      user_id: (await user(api)).id,
      organization_id: await organization(api),
    }),
    'user_management.update_settings': async () => ({ multiple_roles: false }),
  },
  queries: { 'organization_memberships.list': { user_id: 'user_01J00000000000000000000000' } },
};
