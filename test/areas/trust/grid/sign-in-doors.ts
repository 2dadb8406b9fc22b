import { accountAddress, newAccountLink } from '../../../support/account.ts';
import { authenticator, type CeremonyOptions } from '../../../support/authenticator.ts';
import { browser, type Page } from '../../../support/browser.ts';
import { now, service } from '../../../support/service.ts';
import { authenticate, authenticatePublicly } from '../../authentication/inside.ts';
import * as impersonations from '../../authentication/impersonating.ts';
import { totp } from '../../pages/application.ts';
import { type ForgingProvider, forgingProvider } from '../../social/forging-provider.ts';
import { configure } from '../../social/sign-in.ts';
import { redeem, startUrl, toProvider } from '../../sso/identity-provider.ts';
import { samlConnection } from '../../sso/support.ts';
import { arrive, type Granted, PASSWORD, readResult, refresh, respond } from '../tenants.ts';
import { type Doors, EMAIL, enter, hosted, must, openSession, readGrant, readPage, signIn } from './member.ts';
import { type Device, openDevice } from './device.ts';

/** The social provider of all cells, which one of them starts. */
let social: Promise<ForgingProvider> | undefined;

/** The options in a page's form for passkeys. */
function readOptions({ text }: Page): CeremonyOptions {
  const found = /data-options="([^"]+)"/.exec(text)?.[1] ?? '{}';
  return JSON.parse(
    found.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  ) as CeremonyOptions;
}

/** Signs in by a grant, and chooses an organization. */
async function grant(organizationId: string, proof: Record<string, string> & { grant_type: string }): Promise<string> {
  const first = await authenticate({ email: EMAIL, ip_address: '127.0.0.1', ...proof });
  if (first.body.code !== 'organization_selection_required') return readGrant(first, organizationId);
  const chosen = await authenticate({
    grant_type: 'urn:workos:oauth:grant-type:organization-selection',
    pending_authentication_token: first.body.pending_authentication_token,
    organization_id: organizationId,
  });
  return readGrant(chosen, organizationId);
}

/** The address of a user at a domain of the organization, which its connection covers. */
async function cover(userId: string, organizationId: string): Promise<string> {
  const domain_data = [{ domain: 'first.example', state: 'verified' }];
  await must('PUT', `/organizations/${organizationId}`, { domain_data });
  await must('PUT', `/user_management/users/${userId}`, { email: 'ada@first.example', email_verified: true });
  return 'ada@first.example';
}

/** Impersonates a user in an organization. @returns the code of the sign-in */
async function impersonate(userId: string, organizationId: string): Promise<string> {
  await impersonations.allow();
  const operatorId = await impersonations.addOperator();
  const { body } = await impersonations.impersonate(userId, operatorId, { organization_id: organizationId });
  return impersonations.readCode(body);
}

async function beginDevice(): Promise<Device> {
  const { clientId } = await service();
  return must('POST', '/user_management/authorize/device', { client_id: clientId }, { apiKey: null });
}

export const SIGN_IN_DOORS: Doors = {
  'password, at the hosted pages': async ({ organizationId }) => {
    const person = browser();
    const first = await person.open(await hosted(organizationId));
    return async () => readPage(await enter(person, first, organizationId));
  },
  'passkey, at the hosted pages': async ({ organizationId }) => {
    await must('PUT', '/x/authentication/settings', { methods: { passkey: true } });
    const own = authenticator((await service()).url);
    const { person: enrolling, page: offer } = await signIn(organizationId);
    await enrolling.submit(offer, { credential: own.create(readOptions(offer)) }, 'data-passkey');
    const person = browser();
    const first = await person.open(await hosted(organizationId));
    return async () =>
      readPage(await person.submit(first, { credential: own.get(readOptions(first)) }, 'data-passkey'));
  },
  'social account, at the hosted pages': async ({ organizationId }) => {
    const provider = await (social ??= forgingProvider());
    provider.account = { sub: 'ada-at-google', email: EMAIL, email_verified: true };
    await configure(provider.url);
    const person = browser();
    const first = await person.open(await hosted(organizationId));
    const [, button = ''] = /<a class="button quiet" href="([^"]+)"/.exec(first.text) ?? [];
    return async () => readPage(await person.open(new URL(button.replaceAll('&amp;', '&'), first.url).href));
  },
  'password, by its grant':
    async ({ organizationId }) =>
    () =>
      grant(organizationId, { grant_type: 'password', password: PASSWORD }),
  'mailed code, by its grant': async ({ organizationId }) => {
    const { code = '' } = await must('POST', '/user_management/magic_auth', { email: EMAIL });
    return () => grant(organizationId, { grant_type: 'urn:workos:oauth:grant-type:magic-auth:code', code });
  },
  'connection, for an account that its organization covers': async ({ organizationId, userId }) => {
    const email = await cover(userId, organizationId);
    const { id } = await samlConnection(organizationId);
    const person = browser();
    const request = await toProvider(await startUrl('/user_management/authorize', { connection_id: id }), person);
    return async () => readPage(await respond(request, email, { person }));
  },
  'connection, for another account': async ({ organizationId }) => {
    const { id } = await samlConnection(organizationId);
    const person = browser();
    const page = await arrive(id, EMAIL, { person });
    return async () => readPage(await enter(person, page, organizationId));
  },
  'code of a sign-in': async ({ organizationId }) => {
    const { code } = readResult((await signIn(organizationId)).page);
    return async () => readGrant(await redeem<Granted>(code), organizationId);
  },
  'code of a sign-in, with an invitation': async ({ organizationId, membershipId }) => {
    await must('DELETE', `/user_management/organization_memberships/${membershipId}`);
    const invitation = { email: EMAIL, organization_id: organizationId };
    const { token = '' } = await must('POST', '/user_management/invitations', invitation);
    const person = browser();
    const first = await person.open(
      await startUrl('/user_management/authorize', { provider: 'hosted', invitation_token: token }),
    );
    return async () => {
      const page = await enter(person, first, organizationId);
      const { code } = readResult(page);
      return code === undefined ? readPage(page) : readGrant(await redeem<Granted>(code), organizationId);
    };
  },
  refresh: async ({ organizationId }) => {
    const { refresh_token } = await openSession(organizationId);
    return async () => readGrant(await refresh(refresh_token), organizationId);
  },
  'refresh, from another organization': async ({ organizationId, otherId }) => {
    const { refresh_token } = await openSession(otherId);
    return async () => readGrant(await refresh(refresh_token, organizationId), organizationId);
  },
  'factor that is enrolled in a sign-in': async ({ organizationId }) => {
    await must('PUT', '/x/authentication/settings', { mfa: 'required' });
    const { person, page } = await signIn(organizationId);
    const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    return async () => readPage(await person.submit(page, { code: await totp(secret, await now()) }));
  },
  'signed-in browser': async ({ organizationId }) => {
    const { person } = await signIn(organizationId);
    return async () => readPage(await person.open(await hosted(organizationId)));
  },
  'approval of a device': async ({ organizationId }) => {
    const { approve } = await openDevice(await beginDevice(), organizationId);
    return approve;
  },
  'approved device': async ({ organizationId }) => {
    const device = await beginDevice();
    const { approve } = await openDevice(device, organizationId);
    await approve();
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    return async () =>
      readGrant(await authenticatePublicly({ grant_type, device_code: device.device_code }), organizationId);
  },
  'account page, in a signed-in browser': async ({ organizationId }) => {
    const { person } = await signIn(organizationId);
    return async () => readAccount(await person.open(await accountAddress()));
  },
  'account page, by a link of the application': async ({ userId }) => {
    const link = await newAccountLink(userId);
    const person = browser();
    const page = await person.open(link);
    return async () => readAccount(await person.submit(page));
  },
  impersonation: async ({ organizationId, userId }) => {
    const code = await impersonate(userId, organizationId);
    return async () => readGrant(await redeem<Granted>(code), organizationId);
  },
  'refresh of an impersonation': async ({ organizationId, userId }) => {
    const { body } = await redeem<Granted>(await impersonate(userId, organizationId));
    return async () => readGrant(await refresh(body.refresh_token), organizationId);
  },
};

function readAccount({ url, status }: Page): string {
  const { pathname } = new URL(url);
  if (status >= 300) return String(status);
  return pathname.startsWith('/hosted/account/') ? 'allowed' : pathname;
}
