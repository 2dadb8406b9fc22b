import { expect } from '@jest/globals';

import { openProven } from '../../support/account.ts';
import { browser } from '../../support/browser.ts';
import { openPortal } from '../../support/portal.ts';
import { call, idle } from '../../support/service.ts';
import { addMembership, environment } from '../../support/users.ts';
import { addOperator, allow, openAs } from '../authentication/impersonating.ts';
import { authenticate } from '../authentication/inside.ts';
import { newProvider, newScimUser } from '../directory-sync/scim.ts';
import { redeem, registerApplication, setUp } from '../sso/identity-provider.ts';
import {
  addGuest,
  addOrganization,
  addPerson,
  arrive,
  type Granted,
  linkGuest,
  PASSWORD,
  readResult,
  refresh,
  signInByPassword,
} from './tenants.ts';

const GUEST = 'ceo@victim.example';

const enter = async (connectionId: string, email: string) =>
  (await redeem<Granted>(readResult(await arrive(connectionId, email)).code)).body;

/** Guarantees on which a well-meaning customer relies, each in an empty service. A rule that denies too much breaks one of them. */
export const CUSTOMERS: Readonly<Record<string, () => Promise<void>>> = {
  'a guest enters through the connection once the account is linked': async () => {
    const { organizationId, connection } = await setUp('evil.example');
    await addGuest(organizationId);
    expect((await linkGuest(connection.id, GUEST)).organization_id).toBe(organizationId);
    expect((await enter(connection.id, GUEST)).organization_id).toBe(organizationId);
  },

  'a guest accepts an invitation at the connection, by an own sign-in': async () => {
    const { organizationId, connection } = await setUp('evil.example');
    await addPerson(GUEST);
    const invitation = { email: GUEST, organization_id: organizationId };
    const { body } = await call<{ token: string }>('POST', '/user_management/invitations', invitation);
    const person = browser();
    const page = await arrive(connection.id, GUEST, { person, query: { invitation_token: body.token } });
    const { code } = readResult(await signInByPassword(person, page, GUEST));
    expect((await redeem<Granted>(code)).body.organization_id).toBe(organizationId);
  },

  'an employee becomes a member at the first sign-in, and moves to another organization of theirs': async () => {
    const { organizationId, connection } = await setUp();
    const session = await enter(connection.id, 'ada@acme.example');
    expect(session).toMatchObject({ organization_id: organizationId, user: { first_name: 'Ada' } });
    expect((await enter(connection.id, 'ada@acme.example')).user.id).toBe(session.user.id);
    const other = await addOrganization('Other');
    const member = { user_id: session.user.id, organization_id: other };
    expect((await call('POST', '/user_management/organization_memberships', member)).status).toBe(201);
    const moved = await refresh(session.refresh_token, other);
    expect(moved.body.organization_id).toBe(other);
    expect((await refresh(moved.body.refresh_token)).body.organization_id).toBe(other);
  },

  'an employee who has an account enters it through the connection': async () => {
    const { organizationId, connection } = await setUp();
    const id = await addPerson('ada@acme.example');
    expect(await enter(connection.id, 'ada@acme.example')).toMatchObject({
      organization_id: organizationId,
      user: { id },
    });
  },

  'a directory makes its own people members, and renames them': async () => {
    const provider = await newProvider({}, { domain: 'acme.example' });
    const { id } = await newScimUser(provider, 'ada@acme.example', { name: { givenName: 'Ada' } });
    const body = { Operations: [{ op: 'replace', path: 'name.givenName', value: 'Augusta' }] };
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    expect((await provider.send('PATCH', `/Users/${id}`, { schemas, ...body })).status).toBe(200);
    await idle();
    const query = `organization_id=${provider.directory.organization_id}`;
    const members = await call<{ data: unknown[] }>('GET', `/user_management/organization_memberships?${query}`);
    expect(members.body.data).toMatchObject([{ status: 'active' }]);
    const users = await call<{ data: unknown[] }>('GET', '/user_management/users?email=ada@acme.example');
    expect(users.body.data).toMatchObject([{ first_name: 'Augusta', email_verified: true }]);
  },

  'a guest opens the account page by an own proof, and leaves an organization there': async () => {
    const userId = await addGuest(await addOrganization('Host'), GUEST);
    const { person, open } = await openProven(userId, PASSWORD);
    await person.submit(await open('organizations'), {}, 'Leave');
    const { body } = await call<{ data: unknown[] }>(
      'GET',
      `/user_management/organization_memberships?user_id=${userId}`,
    );
    expect(body.data).toEqual([]);
  },

  'a person enrolls the second factor that the environment requires': async () => {
    await registerApplication();
    await addPerson(GUEST);
    await call('PUT', '/x/authentication/settings', { mfa: 'required' });
    const { body } = await authenticate({ grant_type: 'password', email: GUEST, password: PASSWORD });
    expect(body.code).toBe('mfa_enrollment');
  },

  'an operator acts as a person in the named organization': async () => {
    await environment();
    await registerApplication();
    const operatorId = await addOperator();
    await allow();
    const [userId, organization_id] = [await addPerson(GUEST), await addOrganization('Host')];
    await addMembership(userId, organization_id);
    expect((await openAs(userId, operatorId, { organization_id })).user.id).toBe(userId);
  },

  'an IT administrator opens the portal with a link of the application': async () => {
    const { first } = await openPortal(await addOrganization('Host'));
    expect([first.status, new URL(first.url).pathname.startsWith('/portal/')]).toEqual([200, true]);
  },
};
