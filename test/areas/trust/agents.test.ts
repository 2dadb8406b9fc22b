import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { advance, call, reset, service } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import { issueTo } from '../agents/issued.ts';
import {
  begin,
  complete,
  configure,
  exchange,
  link,
  readToken,
  register,
  type Registered,
} from '../agents/registering.ts';
import {
  delegate,
  givePermissions,
  newBlueprint,
  pass,
  readClaims,
  refresh as refreshAgent,
} from '../agents/support.ts';
import { redeem, setUp, toProvider } from '../sso/identity-provider.ts';
import { samlConnection } from '../sso/support.ts';
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
  respond,
  signInByPassword,
} from './tenants.ts';

const EMAIL = 'ceo@victim.example';
/** The code as a page displays it. */
const CODE = /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/;

beforeEach(async () => {
  await reset({ calm: true });
  await givePermissions('posts:write');
  await configure({ claim_uri: 'hosted' });
});

/** Makes an organization require its connection. */
async function requireSso(organizationId: string): Promise<void> {
  await samlConnection(organizationId);
  const { status } = await call('PUT', `/x/organizations/${organizationId}/sso_policy`, { required: true });
  expect(status).toBe(200);
  await advance(6);
}

/** A person with a password, who is a member of an open organization and of one that requires its connection. */
async function setUpMember() {
  const userId = await addPerson(EMAIL, { external_id: 'ceo' });
  const [open, strict] = [await addOrganization('Open'), await addOrganization('Strict')];
  for (const organization of [open, strict]) await addMembership(userId, organization);
  return { userId, open, strict };
}

const registerFor = async (email = EMAIL): Promise<Registered> =>
  (await register({ type: 'service_auth', login_hint: email })).body;

/** Opens the link of an agent and signs in by a password. @returns the next page */
async function claimByPassword({ claim }: Registered, person: Browser = browser()): Promise<Page> {
  const first = await person.submit(await person.open(claim?.attempt?.verification_uri ?? ''));
  return signInByPassword(person, first, EMAIL);
}

describe('the hosted claim page of an agent', () => {
  test('offers only organizations that the proofs of the sign-in may enter, and accepts no other one', async () => {
    const { open, strict } = await setUpMember();
    await requireSso(strict);
    const agent = await registerFor();
    const person = browser();
    let page = await claimByPassword(agent, person);
    if (page.url.includes('/hosted/organization')) page = await person.submit(page, { organization_id: open });
    expect(page.text).toContain('Open');
    expect(page.text).not.toContain('Strict');
    expect(CODE.test((await person.submit(page, { do: 'approve', organization_id: strict })).text)).toBe(false);
    const [code = ''] = CODE.exec((await person.submit(page, { do: 'approve' })).text) ?? [];
    expect((await complete(agent.claim?.token, code)).body.organization_id).toBe(open);
  });

  test('shows no code for an organization that requires its connection since the sign-in', async () => {
    const userId = await addPerson(EMAIL);
    const strict = await addOrganization('Strict');
    await addMembership(userId, strict);
    const agent = await registerFor();
    const person = browser();
    const page = await claimByPassword(agent, person);
    expect(page.text).toContain('Connect this agent?');
    await requireSso(strict);
    const response = await person.submit(page, { do: 'approve' });
    expect(CODE.test(response.text)).toBe(false);
    // The page leads to the connection of the organization.
    expect(response.text).toContain('/x/sso/start');
  });

  test('denies a code for an organization that requires its connection since it was shown', async () => {
    const userId = await addPerson(EMAIL);
    const strict = await addOrganization('Strict');
    await addMembership(userId, strict);
    const agent = await registerFor();
    const person = browser();
    const page = await claimByPassword(agent, person);
    const [code = ''] = CODE.exec((await person.submit(page, { do: 'approve' })).text) ?? [];
    expect(code).not.toBe('');
    await requireSso(strict);
    expect(await complete(agent.claim?.token, code)).toMatchObject({ status: 403, body: { code: 'claim_denied' } });
  });

  test('has a guest’s agent act only for the organization whose identity provider signed the guest in', async () => {
    const { organizationId: evil, connection } = await setUp('evil.example');
    const victim = await addOrganization('Victim', 'victim.example');
    await addMembership(await addGuest(evil, EMAIL), victim);
    await linkGuest(connection.id, EMAIL);
    const agent = await registerFor();
    const person = browser();
    const signIn = await person.submit(await person.open(agent.claim?.attempt?.verification_uri ?? ''));
    const { origin, searchParams } = new URL(signIn.url);
    const start = `${origin}/x/sso/start?flow=${searchParams.get('flow')}&connection=${connection.id}`;
    const page = await respond(await toProvider(start, person), EMAIL, { person });
    expect(page.text).toContain('Connect this agent?');
    expect(page.text).not.toContain('Victim');
    expect(CODE.test((await person.submit(page, { do: 'approve', organization_id: victim })).text)).toBe(false);
    const [code = ''] = CODE.exec((await person.submit(page, { do: 'approve' })).text) ?? [];
    expect((await complete(agent.claim?.token, code)).body.organization_id).toBe(evil);
  });
});

describe('the claim page of an application', () => {
  test('cannot have an agent act in an organization that requires its connection, whose proof it does not have', async () => {
    const { open, strict } = await setUpMember();
    await requireSso(strict);
    await configure();
    const agent = await registerFor();
    const token = readToken(agent.claim?.attempt);
    const user = { email: EMAIL, external_id: 'ceo' };
    const denied = await link(token, { organization_id: strict }, user);
    expect(denied).toMatchObject({ status: 403, body: { code: 'sso_required' } });
    const { body } = await link(token, { organization_id: open }, user);
    expect(body.organizations.map(({ id }) => id)).toEqual([open]);
    expect((await complete(agent.claim?.token, body.user_code)).body.organization_id).toBe(open);
  });

  test('is rejected if its only organization requires its connection, instead of leaving the agent where it is', async () => {
    const userId = await addPerson(EMAIL, { external_id: 'ceo' });
    const strict = await addOrganization('Strict');
    await addMembership(userId, strict);
    await requireSso(strict);
    await configure({ organization_id: strict });
    const agent = await registerFor();
    const { body } = await link(readToken(agent.claim?.attempt), {}, { email: EMAIL, external_id: 'ceo' });
    expect(body.code).toBe('sso_required');
  });
});

describe('what an agent is issued', () => {
  test('is not renewed when its organization requires a proof that the claim did not have', async () => {
    const userId = await addPerson(EMAIL, { external_id: 'ceo' });
    const strict = await addOrganization('Strict');
    await addMembership(userId, strict);
    await configure();
    const agent = (await register()).body;
    const { attempt } = (await begin(agent.claim?.token, EMAIL)).body;
    const { user_code: code } = (await link(readToken(attempt), {}, { email: EMAIL, external_id: 'ceo' })).body;
    const { identity } = (await complete(agent.claim?.token, code)).body;
    const { read } = await issueTo(identity.assertion);
    expect(await read()).toMatchObject({ exchanged: 'posts:write', refreshed: 200 });
    await requireSso(strict);
    expect(await read()).toMatchObject({ exchanged: undefined, refreshed: 400 });
    const key = await exchange(identity.assertion, { credential_type: 'api_key' });
    expect(key).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('is not renewed for a blueprint when the session of its person has left an organization that it could not enter now', async () => {
    const { open, strict } = await setUpMember();
    const blueprintId = await newBlueprint();
    const session = await signInForApi(strict);
    const agent = (await delegate(blueprintId, { token: session.access_token })).body;
    await requireSso(strict);
    const renewed = await refreshAgent(blueprintId, agent.refresh_token);
    expect(renewed.status).toBe(200);
    const moved = await refresh(session.refresh_token, open);
    expect(moved.body.organization_id).toBe(open);
    expect((await refreshAgent(blueprintId, renewed.body.refresh_token)).body.code).toBe('user_session_ended');
    expect((await delegate(blueprintId, { token: session.access_token })).body.code).toBe('user_session_ended');
    expect((await refresh(moved.body.refresh_token, strict)).body.error).toBe('sso_required');
    expect((await delegate(blueprintId, { token: moved.body.access_token })).status).toBe(200);
  });

  test('for a guest is for the organization whose identity provider signed the guest in, also by a chain of agents', async () => {
    const { organizationId: evil, connection } = await setUp('evil.example');
    const victim = await addOrganization('Victim', 'victim.example');
    await addMembership(await addGuest(evil, EMAIL), victim);
    const session = await linkGuest(connection.id, EMAIL);
    const byProvider = (await redeem<Granted>(readResult(await arrive(connection.id, EMAIL)).code)).body;
    const [blueprintId, below] = [await newBlueprint(), await newBlueprint()];
    for (const { access_token: token, organization_id: own } of [session, byProvider]) {
      const agent = (await delegate(blueprintId, { token })).body;
      const child = (await pass(below, agent.access_token)).body;
      const renewed = (await refreshAgent(below, child.refresh_token)).body;
      for (const each of [agent, child, renewed]) expect(readClaims(each.access_token).org_id).toBe(own);
      expect(own).toBe(evil);
    }
  });
});

/** Signs in by a password, and moves to an organization. */
async function signInForApi(organizationId: string): Promise<Granted> {
  const { clientId, apiKey } = await service();
  const client = { client_id: clientId, client_secret: apiKey };
  const path = '/user_management/authenticate';
  const body = { ...client, grant_type: 'password', email: EMAIL, password: PASSWORD };
  const { body: asked } = await call<Granted & { pending_authentication_token: string }>('POST', path, body);
  const choice = { grant_type: 'urn:workos:oauth:grant-type:organization-selection', organization_id: organizationId };
  const chosen = { ...client, ...choice, pending_authentication_token: asked.pending_authentication_token };
  const { status, body: granted } = await call<Granted>('POST', path, chosen);
  expect([status, granted.organization_id]).toEqual([200, organizationId]);
  return granted;
}
