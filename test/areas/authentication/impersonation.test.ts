import { beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { askAs, operatorGrant } from '../../support/console.ts';
import { readOperatorsLog } from '../../support/operators-log.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, messages, reset, sdk, service } from '../../support/service.ts';
import { addMembership, addSession, addUser } from '../../support/users.ts';
import {
  addOperator,
  allow,
  exchange,
  impersonate,
  listSessions,
  openAs,
  OPERATOR,
  readCode,
  type Tokens,
} from './impersonating.ts';
import {
  authenticatePublicly,
  environment,
  makeUser,
  otherEnvironment,
  pkce,
  REDIRECT_URI,
  registerRedirectUri,
} from './inside.ts';

let eve: string;
let ada: string;

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
  await registerRedirectUri();
  await allow();
  eve = await addOperator();
  ada = await addUser('ada@acme.example');
});

const IMPERSONATOR = { email: OPERATOR, reason: 'Ticket 42' };
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

describe('an impersonation', () => {
  test('opens a session with the impersonator in response, token, list of sessions, event and log', async () => {
    const organizationId = await newOrganization();
    await addMembership(ada, organizationId, 'active');
    const made = await impersonate(ada, eve, { organization_id: organizationId, redirect_uri: REDIRECT_URI });
    expect(made).toMatchObject({ status: 201, body: { user_id: ada, impersonator: IMPERSONATOR } });
    expect(made.body.url).toMatch(/^https:\/\/app\.example\.com\/callback\?code=[^&]+&iss=/);
    const { clientId, apiKey } = await service();
    const response = await sdk().userManagement.authenticateWithCode({
      clientId,
      code: readCode(made.body),
      clientSecret: apiKey,
    } as never);
    expect(response).toMatchObject({
      user: { id: ada },
      organizationId,
      authenticationMethod: 'Impersonation',
      impersonator: IMPERSONATOR,
    });
    expect(decodeJwt(response.accessToken)).toMatchObject({ sub: ada, org_id: organizationId, act: { sub: OPERATOR } });
    expect(decodeJwt(response.accessToken).impersonator).toEqual(IMPERSONATOR);
    expect(await listSessions(ada)).toMatchObject([{ auth_method: 'impersonation', impersonator: IMPERSONATOR }]);
    await advance(1);
    const { body } = await call<{ data: { data: object }[] }>('GET', '/events?events=session.created');
    expect(body.data.at(-1)).toMatchObject({ data: { user_id: ada, impersonator: IMPERSONATOR } });
    const lines = (await readOperatorsLog()).filter((line) => line.includes('impersonations.'));
    expect(lines).toHaveLength(2);
    expect(lines.every((line) => line.includes('Ticket 42') && line.includes(ada))).toBe(true);
  });

  test('sends the user a mail only if the settings say so, without the reason and the operator', async () => {
    const ben = await makeUser({ email: 'ben@acme.example', emailVerified: true });
    await openAs(ben, eve);
    await idle();
    expect(await messages('ben@acme.example')).toEqual([]);
    await allow({ enabled: true, notify_user: true });
    await openAs(ben, eve);
    await idle();
    const [mail] = await messages('ben@acme.example');
    expect(mail?.subject).toContain('Support opened a session');
    expect(JSON.stringify(mail)).not.toMatch(/Ticket 42|eve@/);
  });

  test('neither signs the user out nor counts as a sign-in, and a third one ends the oldest', async () => {
    const own = await addSession(ada);
    const first = await openAs(ada, eve);
    await openAs(ada, eve);
    await openAs(ada, eve);
    const ids = (await listSessions(ada)).map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect([ids.includes(own), ids.includes(String(decodeJwt(first.access_token).sid))]).toEqual([true, false]);
    const { body } = await call<{ last_sign_in_at: string | null }>('GET', `/user_management/users/${ada}`);
    expect(body.last_sign_in_at).toBeNull();
  });
});

describe('an impersonation is rejected', () => {
  test('while the settings do not allow it, in production as long as they do not name production', async () => {
    await allow({ enabled: false });
    expect(await impersonate(ada, eve)).toMatchObject({ status: 403, body: { code: 'impersonation_disabled' } });
    await allow();
    const id = await environment();
    const record = await environments.get(id, id);
    if (record === undefined) throw new Error('There is no environment');
    await applyWork(id, systemActor, async (unit) =>
      unit.stage(environments.revise(record, { isProduction: true }).write),
    );
    await advance(6);
    expect(await impersonate(ada, eve)).toMatchObject({ status: 403, body: { code: 'impersonation_disabled' } });
    await allow({ enabled: true, in_production: true });
    expect((await impersonate(ada, eve)).status).toBe(201);
  });

  test('for an API key, the token of an impersonator, an operator without the permission, and without a reason', async () => {
    const path = `/x/user-management/users/${ada}/impersonations`;
    expect(await call('POST', path, {})).toMatchObject({ status: 403, body: { code: 'operator_required' } });
    const { access_token: token } = await openAs(ada, eve);
    expect((await call('POST', path, {}, { apiKey: token })).status).toBe(401);
    for (const permission of ['people.support', 'people.change', 'secrets.reveal', 'destroy', 'operators'] as const)
      expect((await impersonate(ada, eve, {}, [permission])).status).toBe(403);
    const grant = await operatorGrant(['people.impersonate'], { id: eve });
    for (const reason of ['', 'abc', 'x'.repeat(201), '%E0%A4%A'])
      expect(await askAs(grant, 'POST', path, {}, { 'gatehouse-reason': reason })).toMatchObject({
        status: 400,
        body: { code: 'operator_reason_required' },
      });
  });

  test('of an operator, also by the address, in the environment of the operators, and for a caller without a user', async () => {
    const code = 'impersonation_not_allowed';
    await addOperator('owner@gatehouse.example', 'owner');
    const twin = await addUser('OWNER@gatehouse.example');
    expect(await impersonate(twin, eve)).toMatchObject({ status: 403, body: { code } });
    expect(await impersonate(ada, 'break_glass_01')).toMatchObject({ status: 403, body: { code } });
    const grant = await operatorGrant(['people.impersonate', 'operators'], {
      id: eve,
      environmentId: OPERATORS_ENVIRONMENT_ID,
    });
    const there = await askAs(grant, 'POST', `/x/user-management/users/${eve}/impersonations`, {});
    expect(there).toMatchObject({ status: 403, body: { code: 'operator_permission_required' } });
  });

  test('for a redirect URI that is not registered, another organization, and a user of another environment', async () => {
    for (const uri of ['https://evil.example/callback', 'javascript:alert(1)', '😀\uffff', 'x'.repeat(2_049)])
      expect((await impersonate(ada, eve, { redirect_uri: uri })).status).toBe(422);
    const organizationId = await newOrganization();
    await addMembership(ada, organizationId, 'inactive');
    for (const id of [organizationId, 'org_01K0G000000000000000000009', '😀\uffff'])
      expect((await impersonate(ada, eve, { organization_id: id, redirect_uri: REDIRECT_URI })).status).toBe(422);
    const elsewhere = await otherEnvironment();
    const { body } = await call<{ id: string }>(
      'POST',
      '/user_management/users',
      { email: 'a@b.example' },
      { apiKey: elsewhere.apiKey },
    );
    expect((await impersonate(body.id, eve)).status).toBe(404);
  });

  test('beyond twenty a day of one operator', async () => {
    for (let count = 0; count < 20; count += 1) expect((await impersonate(ada, eve)).status).toBe(201);
    expect(await impersonate(ada, eve)).toMatchObject({ status: 429 });
  });
});

describe('the code of an impersonation', () => {
  const newCode = async (): Promise<string> => readCode((await impersonate(ada, eve)).body);

  test('is used once: using it again revokes the session', async () => {
    const code = await newCode();
    expect((await exchange(code)).status).toBe(200);
    expect(await listSessions(ada)).toHaveLength(1);
    expect(await exchange(code)).toMatchObject(invalidGrant);
    expect(await listSessions(ada)).toEqual([]);
  });

  test('is rejected in another environment, with another redirect URI, a verifier or an invitation, and without the client secret', async () => {
    const code = await newCode();
    const elsewhere = await otherEnvironment();
    expect(await elsewhere.authenticate({ grant_type: 'authorization_code', code })).toMatchObject(invalidGrant);
    expect(await exchange(code, { redirect_uri: 'https://app.example.com/other' })).toMatchObject(invalidGrant);
    expect((await exchange(code, { code_verifier: pkce().verifier })).status).toBe(400);
    expect(await exchange(code, { invitation_token: 'x' })).toMatchObject(invalidGrant);
    const publicly = { grant_type: 'authorization_code', code, code_verifier: pkce().verifier };
    expect((await authenticatePublicly<Tokens>(publicly)).status).toBe(400);
    expect(await listSessions(ada)).toEqual([]);
    expect((await exchange(code)).status).toBe(200);
  });

  test('expires after two minutes, and with the setting, or a change of the user’s address', async () => {
    const late = await newCode();
    await advance(120);
    expect(await exchange(late)).toMatchObject(invalidGrant);
    const former = await newCode();
    await call('PUT', `/user_management/users/${ada}`, { email: 'ada@other.example' });
    expect(await exchange(former)).toMatchObject(invalidGrant);
    const off = await newCode();
    await allow({ enabled: false });
    expect(await exchange(off)).toMatchObject(invalidGrant);
    expect(await listSessions(ada)).toEqual([]);
  });
});
