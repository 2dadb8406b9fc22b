import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { call, reset } from '../../support/service.ts';
import { mailedCode } from '../authentication/inside.ts';
import { connect, enter, forgingProvider } from '../sso/forging-openid.ts';
import { connectProvider, newScimUser, type Provider } from '../directory-sync/scim.ts';
import { redeem, registerApplication, setUp, startUrl, toProvider } from '../sso/identity-provider.ts';
import {
  addGuest,
  addPerson,
  respond,
  arrive,
  type Granted,
  linkGuest,
  PASSWORD,
  readResult,
  signInByPassword,
} from './tenants.ts';

beforeEach(() => reset());

const EMAIL = 'ceo@victim.example';
const AT_SIGN_IN = '/hosted/sign-in';

const readPath = ({ url }: { url: string }): string => new URL(url).pathname;

const listMemberships = async (userId: string) =>
  (
    await call<{ data: { id: string; status: string }[] }>(
      'GET',
      `/user_management/organization_memberships?user_id=${userId}&statuses=active,inactive,pending`,
    )
  ).body.data;

describe('an account at a connection is linked to an account that the organization does not cover', () => {
  test('only after a sign-in to the account by its own password, and then signs in for this organization', async () => {
    const { organizationId, connection } = await setUp('evil.example');
    await addGuest(organizationId, EMAIL);
    const person = browser();
    const page = await arrive(connection.id, EMAIL, { person });
    expect(readPath(page)).toBe(AT_SIGN_IN);
    const { code } = readResult(await signInByPassword(person, page, EMAIL));
    expect((await redeem<Granted>(code)).body).toMatchObject({
      organization_id: organizationId,
      user: { email: EMAIL },
    });
    // The next time the identity provider is sufficient for this organization.
    const again = readResult(await arrive(connection.id, EMAIL));
    expect((await redeem<Granted>(again.code)).body.organization_id).toBe(organizationId);
  });

  test('not by a mailed code if the account has a password', async () => {
    const { organizationId, connection } = await setUp('evil.example');
    await addGuest(organizationId, EMAIL);
    const person = browser();
    const asked = await person.submit(await arrive(connection.id, EMAIL, { person }), { email: EMAIL });
    const entry = await person.submit(asked, { do: 'code' });
    const done = await person.submit(entry, { code: await mailedCode(EMAIL) });
    expect([done.status, done.text]).toEqual([422, expect.stringContaining('A mailed code is not sufficient')]);
  });

  test('by a mailed code if the account has nothing stronger', async () => {
    const { organizationId, connection } = await setUp('evil.example');
    const { body } = await call<{ id: string }>('POST', '/user_management/users', {
      email: EMAIL,
      email_verified: true,
    });
    const membership = { user_id: body.id, organization_id: organizationId };
    await call('POST', '/user_management/organization_memberships', membership);
    const person = browser();
    const asked = await person.submit(await arrive(connection.id, EMAIL, { person }), { email: EMAIL });
    const entry = await person.submit(asked, { do: 'code' });
    const done = await person.submit(entry, { code: await mailedCode(EMAIL) });
    expect((await redeem<Granted>(readResult(done).code)).body.organization_id).toBe(organizationId);
  });

  test('not by the sign-in of another person', async () => {
    const { organizationId, connection } = await setUp('evil.example');
    await addGuest(organizationId, EMAIL);
    await addPerson('mallory@elsewhere.example');
    const person = browser();
    const page = await arrive(connection.id, EMAIL, { person });
    const done = await signInByPassword(person, page, 'mallory@elsewhere.example');
    expect(done.status).toBe(422);
  });

  test('not by the link of an invitation', async () => {
    const { organizationId, connection } = await setUp('evil.example');
    await addPerson(EMAIL);
    const invitation = await call<{ token: string }>('POST', '/user_management/invitations', {
      email: EMAIL,
      organization_id: organizationId,
    });
    const page = await arrive(connection.id, EMAIL, { query: { invitation_token: invitation.body.token } });
    expect(readPath(page)).toBe(AT_SIGN_IN);
  });
});

describe('a link ends with what justified it', () => {
  /** A former employee: the address and the membership have changed since the link was made. */
  async function formerEmployee(keepsMembership: boolean) {
    const { connection } = await setUp();
    const { body } = await redeem<Granted>(readResult(await arrive(connection.id, 'ada@acme.example')).code);
    const { id } = body.user;
    const [membership] = await listMemberships(id);
    if (!keepsMembership) await call('DELETE', `/user_management/organization_memberships/${membership?.id ?? ''}`);
    await call('PUT', `/user_management/users/${id}`, {
      email: 'ada@private.example',
      email_verified: true,
      password: PASSWORD,
    });
    return { connectionId: connection.id, id };
  }

  test('the membership: the identity provider neither signs in nor makes the person a member again', async () => {
    const { connectionId, id } = await formerEmployee(false);
    const result = readResult(await arrive(connectionId, 'ada@acme.example'));
    expect(result.error).toBe('access_denied');
    expect(await listMemberships(id)).toEqual([]);
  });

  test('the membership, also while the organization covers the address', async () => {
    const { connection } = await setUp();
    const { body } = await redeem<Granted>(readResult(await arrive(connection.id, 'ada@acme.example')).code);
    const [membership] = await listMemberships(body.user.id);
    await call('DELETE', `/user_management/organization_memberships/${membership?.id ?? ''}`);
    expect(readResult(await arrive(connection.id, 'ada@acme.example')).error).toBe('access_denied');
    expect(await listMemberships(body.user.id)).toEqual([]);
  });

  test('the membership, also after the directory of the organization has invited the person again', async () => {
    const { organizationId, connection } = await setUp();
    const { body } = await redeem<Granted>(readResult(await arrive(connection.id, 'ada@acme.example')).code);
    const [membership] = await listMemberships(body.user.id);
    await call('DELETE', `/user_management/organization_memberships/${membership?.id ?? ''}`);
    const members = { organization_id: organizationId, name: 'Everybody', provisioning: 'all' };
    const directory = (await call('POST', '/x/directories', members)).body as unknown as Provider['directory'];
    await newScimUser(await connectProvider(directory), 'ada@acme.example');
    expect(await listMemberships(body.user.id)).toMatchObject([{ status: 'pending' }]);
    expect(readResult(await arrive(connection.id, 'ada@acme.example')).error).toBe('access_denied');
    expect(await listMemberships(body.user.id)).toMatchObject([{ status: 'pending' }]);
  });

  test('the address: a member who has another address signs in to the account first', async () => {
    const { connectionId } = await formerEmployee(true);
    expect(readPath(await arrive(connectionId, 'ada@acme.example'))).toBe(AT_SIGN_IN);
  });

  test('the person’s own sign-in: a new membership needs another one', async () => {
    const { organizationId, connection } = await setUp('evil.example');
    const userId = await addGuest(organizationId, EMAIL);
    await linkGuest(connection.id, EMAIL);
    const [membership] = await listMemberships(userId);
    await call('DELETE', `/user_management/organization_memberships/${membership?.id ?? ''}`);
    const again = { user_id: userId, organization_id: organizationId };
    await call('POST', '/user_management/organization_memberships', again);
    expect(readPath(await arrive(connection.id, EMAIL))).toBe(AT_SIGN_IN);
  });
});

describe('an identity provider', () => {
  test('does not sign in a linked account by another subject with its address', async () => {
    const { connection } = await setUp();
    const attributes = { id: 's-ceo', email: 'ceo@acme.example', firstName: 'Grace' };
    const { body } = await redeem<Granted>(
      readResult(await arrive(connection.id, 'ceo@acme.example', { attributes })).code,
    );
    const intern = { id: 's-intern', email: 'ceo@acme.example', firstName: 'Mallory' };
    const result = readResult(await arrive(connection.id, 'ceo@acme.example', { attributes: intern }));
    expect(result.error).toBe('access_denied');
    expect(result.error_description).toContain('Another account at this identity provider');
    const { body: user } = await call<{ first_name: string }>('GET', `/user_management/users/${body.user.id}`);
    expect(user.first_name).toBe('Grace');
  });

  test.each([false, 'false'])('links nothing to an address that it has not verified (%j)', async (email_verified) => {
    await registerApplication();
    const provider = await forgingProvider();
    const { connection } = await connect(provider.options);
    provider.respond((nonce) => provider.issue({ nonce, email_verified }));
    const start = startUrl('/user_management/authorize', { connection_id: connection.id });
    const result = await enter(connection, () => ({}), start);
    expect(result.error).toBe('access_denied');
    expect(result.error_description).toContain('email_verified');
  });

  test('does not rename a guest', async () => {
    const { organizationId, connection } = await setUp('evil.example');
    await addGuest(organizationId, EMAIL);
    await linkGuest(connection.id, EMAIL);
    const { body } = await redeem<Granted>(readResult(await arrive(connection.id, EMAIL)).code);
    expect(body.user.first_name).toBeNull();
  });
});

describe('what the application demanded', () => {
  test.each(['connection_id', 'organization_id'])(
    'by %s is not replaced by a connection that the browser names',
    async (by) => {
      const { connection: evil } = await setUp('evil.example');
      const victim = await setUpVictim();
      const demanded = by === 'connection_id' ? victim.connectionId : victim.organizationId;
      const person = browser();
      const start = await person.request(await startUrl('/user_management/authorize', { [by]: demanded }));
      const address = new URL(start.headers.get('location') ?? '', start.url);
      address.searchParams.set('connection', evil.id);
      const request = await toProvider(address.href, person);
      // The request is one of the demanded connection, so a response about a user of the other organization is rejected.
      const result = readResult(await respond(request, 'mallory@evil.example', { person }));
      expect(result.error).toBe('profile_not_allowed_outside_organization');
    },
  );

  test('by organization_id at the hosted pages is entered by its members only, whatever connection signs in', async () => {
    const { connection: evil } = await setUp('evil.example');
    const victim = await setUpVictim();
    const person = browser();
    const query = { provider: 'hosted', organization_id: victim.organizationId };
    const start = await person.request(await startUrl('/user_management/authorize', query));
    const flow = new URL(start.headers.get('location') ?? '', start.url).searchParams.get('flow') ?? '';
    const address = new URL(`/x/sso/start?${new URLSearchParams({ flow, connection: evil.id }).toString()}`, start.url);
    const result = readResult(
      await respond(await toProvider(address.href, person), 'mallory@evil.example', { person }),
    );
    expect(result).toMatchObject({ error: 'organization_membership_not_found' });
  });

  test('by connection_id is not replaced by a password at the hosted pages', async () => {
    const victim = await setUpVictim();
    await addPerson('mallory@elsewhere.example');
    const person = browser();
    const start = await person.request(
      await startUrl('/user_management/authorize', { connection_id: victim.connectionId }),
    );
    const flow = new URL(start.headers.get('location') ?? '', start.url).searchParams.get('flow') ?? '';
    const page = await person.open(new URL(`${AT_SIGN_IN}?flow=${flow}`, start.url).href);
    expect((await signInByPassword(person, page, 'mallory@elsewhere.example')).status).toBe(422);
  });

  async function setUpVictim() {
    const { body } = await call<{ id: string }>('POST', '/organizations', {
      name: 'Victim',
      domain_data: [{ domain: 'victim.example', state: 'verified' }],
    });
    const { samlConnection } = await import('../sso/support.ts');
    await registerApplication().catch(() => undefined);
    return { organizationId: body.id, connectionId: (await samlConnection(body.id)).id };
  }
});
