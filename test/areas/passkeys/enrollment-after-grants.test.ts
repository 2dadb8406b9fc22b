import { beforeEach, describe, expect, test } from '@jest/globals';

import { type Authenticator, authenticator, type CeremonyOptions } from '../../support/authenticator.ts';
import { browser, type Browser, type Page } from '../../support/browser.ts';
import { advance, call, sdk, service } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import {
  authorizeUrl,
  exchange,
  isAtApplication,
  mailedCode,
  makeUser,
  newPerson,
  PASSWORD,
  REDIRECT_URI,
} from '../pages/application.ts';

const EMAIL = 'ada@example.com';
const SETTINGS = { methods: { passkey: true }, passkey_enrollment_grants: true };
const OFFERED = { status: 403, code: 'passkey_progressive_enrollment' };

let person: Browser;
let userId: string;
let own: Authenticator;

beforeEach(async () => {
  person = await newPerson();
  own = authenticator((await service()).url);
  await call('PUT', '/x/authentication/settings', SETTINGS);
  userId = await makeUser(EMAIL);
});

/** Signs in by the official client with the password, in an application with a form of its own. */
const withPassword = async (email = EMAIL) =>
  sdk().userManagement.authenticateWithPassword({ clientId: (await service()).clientId, email, password: PASSWORD });

/** The error of the official client, with the response that it keeps. */
interface ClientError {
  status: number;
  code: string;
  rawData: { pending_authentication_token: string };
}

async function findError(work: Promise<unknown>): Promise<ClientError> {
  try {
    await work;
  } catch (error) {
    return error as ClientError;
  }
  throw new Error('The sign-in was complete');
}

const pendingToken = async (work: Promise<unknown> = withPassword()): Promise<string> => {
  const error = await findError(work);
  expect({ status: error.status, code: error.code }).toEqual(OFFERED);
  return error.rawData.pending_authentication_token;
};

/** Opens the address that the official client makes, with the token, as the application redirects the browser. */
async function openOffer(token: string, by = person): Promise<Page> {
  const url = new URL(
    sdk().userManagement.getAuthorizationUrl({
      provider: 'authkit',
      clientId: (await service()).clientId,
      redirectUri: REDIRECT_URI,
      state: 'xyz',
    }),
  );
  url.searchParams.set('pending_authentication_token', token);
  return by.open(url.href);
}

function readOptions({ text }: Page): CeremonyOptions {
  const found = /data-options="([^"]+)"/.exec(text)?.[1] ?? '';
  return JSON.parse(found.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as CeremonyOptions;
}

const create = (page: Page, by = person): Promise<Page> =>
  by.submit(page, { credential: own.create(readOptions(page)) }, 'data-passkey');

const decline = (page: Page, by = person): Promise<Page> => by.submit(page, { do: 'later' }, 'value="later"');

const withCode = async ({ url }: Page) =>
  sdk().userManagement.authenticateWithCode({
    clientId: (await service()).clientId,
    code: new URL(url).searchParams.get('code') ?? '',
  });

const countPasskeys = async (): Promise<number> =>
  (await call<{ data: object[] }>('GET', `/x/passkeys?user_id=${userId}`)).body.data.length;

describe('a sign-in by a grant', () => {
  test('offers no passkey by default', async () => {
    await call('PUT', '/x/authentication/settings', { methods: { passkey: true } });
    expect((await withPassword()).user.id).toBe(userId);
  });

  test('offers no passkey if passkeys or their offer are disabled', async () => {
    for (const off of [{ methods: { passkey: false } }, { passkey_enrollment: false }]) {
      await call('PUT', '/x/authentication/settings', { ...SETTINGS, ...off });
      expect((await withPassword()).user.id).toBe(userId);
    }
  });

  test('continues on the hosted page, and the official client gets the session with the code of the redirect', async () => {
    const page = await openOffer(await pendingToken());
    expect([page.status, page.text.includes(EMAIL)]).toEqual([200, true]);
    const done = await create(page);
    expect([isAtApplication(done), new URL(done.url).searchParams.get('state')]).toEqual([true, 'xyz']);
    const signedIn = await withCode(done);
    expect([signedIn.user.id, signedIn.authenticationMethod]).toEqual([userId, 'Password']);
    expect(await countPasskeys()).toBe(1);
    expect((await withPassword()).user.id).toBe(userId);
  });

  test('remembers "Not now" for 30 days, with the code for the application as well', async () => {
    const done = await decline(await openOffer(await pendingToken()));
    expect((await withCode(done)).user.id).toBe(userId);
    expect((await withPassword()).user.id).toBe(userId);
    await advance(31 * 86_400);
    await pendingToken();
  });

  test('ends without a passkey in a browser without JavaScript', async () => {
    const page = await openOffer(await pendingToken());
    const skip = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await withCode(await person.open(`${(await service()).url}${skip}`))).user.id).toBe(userId);
    expect(await countPasskeys()).toBe(0);
  });

  test('by a mailed code offers a passkey too, and keeps the organization that was chosen before', async () => {
    const organizations = [];
    for (const name of ['One', 'Two']) {
      const { body } = await call<{ id: string }>('POST', '/organizations', { name });
      const membership = { user_id: userId, organization_id: body.id };
      await call('POST', '/user_management/organization_memberships', membership);
      organizations.push(body.id);
    }
    const [organizationId = ''] = organizations;
    const { clientId } = await service();
    await call('POST', '/user_management/magic_auth', { email: EMAIL });
    const code = await mailedCode(EMAIL);
    const choice = await findError(sdk().userManagement.authenticateWithMagicAuth({ clientId, code, email: EMAIL }));
    expect(choice.code).toBe('organization_selection_required');
    const token = await pendingToken(
      sdk().userManagement.authenticateWithOrganizationSelection({
        clientId,
        organizationId,
        pendingAuthenticationToken: choice.rawData.pending_authentication_token,
      }),
    );
    const signedIn = await withCode(await create(await openOffer(token)));
    expect([signedIn.organizationId, signedIn.authenticationMethod]).toEqual([organizationId, 'MagicAuth']);
  });

  test('accepts its invitation once, before the offer', async () => {
    const email = 'grace@example.com';
    await makeUser(email);
    const { body: organization } = await call<{ id: string }>('POST', '/organizations', { name: 'Engines' });
    const invited = { email, organization_id: organization.id };
    const { body: invitation } = await call<{ token: string }>('POST', '/user_management/invitations', invited);
    const { clientId } = await service();
    const token = await pendingToken(
      sdk().userManagement.authenticateWithPassword({
        ...{ clientId, email, password: PASSWORD },
        invitationToken: invitation.token,
      }),
    );
    const signedIn = await withCode(await decline(await openOffer(token)));
    expect(signedIn.organizationId).toBe(organization.id);
  });
});

describe('the token of an offer', () => {
  test('is used up by the first form; another browser has to sign in', async () => {
    const token = await pendingToken();
    const other = browser();
    const late = await openOffer(token, other);
    expect(isAtApplication(await decline(await openOffer(token)))).toBe(true);
    const rejected = await create(late, other);
    expect(rejected.url).toContain('/hosted/sign-in');
    expect((await openOffer(token, browser())).url).toContain('/hosted/sign-in');
    expect(await countPasskeys()).toBe(0);
  });

  test('is not accepted after ten minutes, or after a change of the password', async () => {
    const late = await pendingToken();
    await advance(601);
    expect((await openOffer(late)).url).toContain('/hosted/sign-in');
    const page = await openOffer(await pendingToken());
    await sdk().userManagement.updateUser({ userId, password: 'another good password, number 8' });
    expect((await create(page)).url).toContain('/hosted/sign-in');
    expect(await countPasskeys()).toBe(0);
  });

  test('does not replace a step that the sign-in still needs', async () => {
    const { body: user } = await call<{ id: string }>('POST', '/user_management/users', {
      email: 'new@example.com',
      password: PASSWORD,
    });
    const error = await findError(withPassword('new@example.com'));
    expect(error.code).toBe('email_verification_required');
    expect((await openOffer(error.rawData.pending_authentication_token)).url).toContain('/hosted/sign-in');
    expect((await call<{ data: object[] }>('GET', `/x/passkeys?user_id=${user.id}`)).body.data).toEqual([]);
  });

  test('is not accepted by a grant, so that no application skips the offer without its user', async () => {
    const { clientId, apiKey } = await service();
    const { body: organization } = await call<{ id: string }>('POST', '/organizations', { name: 'Engines' });
    const rejected = await call('POST', '/user_management/authenticate', {
      client_id: clientId,
      client_secret: apiKey,
      grant_type: 'urn:workos:oauth:grant-type:organization-selection',
      pending_authentication_token: await pendingToken(),
      organization_id: organization.id,
    });
    expect(rejected).toMatchObject({ status: 400, body: { code: 'invalid_pending_authentication_token' } });
  });

  test('leads to one code, however often the form is sent at once', async () => {
    const page = await openOffer(await pendingToken());
    const sent = await Promise.all(Array.from({ length: 4 }, () => decline(page)));
    const codes = sent.filter(isAtApplication).map(({ url }) => new URL(url).searchParams.get('code'));
    expect(new Set(codes).size).toBe(1);
  });

  test('is not accepted in another environment', async () => {
    const other = await otherEnvironment();
    await call('POST', '/user_management/redirect_uris', { uri: REDIRECT_URI }, { apiKey: other.apiKey });
    const token = await pendingToken();
    const url = await authorizeUrl({ client_id: other.clientId, pending_authentication_token: token });
    expect((await person.open(url)).url).toContain('/hosted/sign-in');
    const owner = browser();
    expect(isAtApplication(await decline(await openOffer(token, owner), owner))).toBe(true);
  });

  test('is rejected at authorize with another provider than the hosted pages', async () => {
    const url = await authorizeUrl({ provider: 'GoogleOAuth', pending_authentication_token: await pendingToken() });
    const page = await person.open(url);
    expect(new URL(page.url).searchParams.get('error')).toBe('invalid_request');
  });

  test('stays valid after a response of an authenticator that is wrong', async () => {
    const page = await openOffer(await pendingToken());
    const wrong = own.create(readOptions(page), { origin: 'https://evil.example' });
    const again = await person.submit(page, { credential: wrong }, 'data-passkey');
    expect([again.status, isAtApplication(again)]).toEqual([422, false]);
    expect((await exchange((await create(again)).url)).user.id).toBe(userId);
  });
});
