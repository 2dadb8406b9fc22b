import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { advance, call, reset } from '../../support/service.ts';
import { claimFor, type Employee, employ, issueTo, useFor } from './issued.ts';
import { type Issuer, startIssuer } from './issuer.ts';
import { ADA, begin, complete, configure, exchange, keyless, link, readToken, register } from './registering.ts';
import { givePermissions } from './support.ts';

const stop = (target: string, id?: string) =>
  call('POST', '/x/agents/stop', { target, target_id: id, reason: 'Incident 42' });
const lift = (target: string, id?: string) => call('POST', '/x/agents/lift', { target, target_id: id });

const CLAIM_GRANT = 'urn:workos:agent-auth:grant-type:claim';

let issuer: Issuer;

beforeAll(async () => {
  issuer = await startIssuer();
});

afterAll(() => issuer.close());

/** The agents of other parties: one that no user claimed, a claimed one, and an asserted one, all in Ada’s organization. */
const KINDS = ['anonymous', 'claimed', 'asserted'] as const;
type Kind = (typeof KINDS)[number];

const register3: Readonly<Record<Kind, (employee: Employee) => Promise<string>>> = {
  anonymous: async () => (await register()).body.identity?.assertion ?? '',
  claimed: claimFor,
  asserted: async () => (await issuer.present()).body.identity?.assertion ?? '',
};

/** The targets of a stop, and the kinds of agents that it concerns. */
const TARGETS: readonly [string, (employee: Employee) => string | undefined, readonly Kind[]][] = [
  ['environment', () => undefined, KINDS],
  ['organization', ({ organizationId }) => organizationId, KINDS],
  ['user', ({ userId }) => userId, ['claimed', 'asserted']],
];

const NOTHING = { permissions: undefined, key: false, token: false, exchanged: undefined, refreshed: 403 };

let employee: Employee;

beforeEach(async () => {
  await reset();
  await givePermissions('posts:read', 'posts:write');
  employee = await employ();
  await issuer.trust(employee.organizationId, { organization_id: employee.organizationId });
});

describe.each(TARGETS)('a stop of agents of the %s', (target, find, concerned) => {
  test.each(KINDS)('ends every credential of a registered agent that it concerns, for ever: %s', async (kind) => {
    const id = find(employee);
    const { read } = await issueTo(await register3[kind](employee));
    const before = await useFor(3, read);
    expect(before).toMatchObject({ key: true, token: true, refreshed: 200 });
    expect(before.permissions?.length).toBeGreaterThan(0);
    expect((await stop(target, id)).status).toBe(200);
    if (!concerned.includes(kind)) {
      expect(await useFor(5, read)).toEqual(before);
      return;
    }
    // All but a validation that is cached for five seconds ends with the response to the stop.
    expect({ ...(await read()), permissions: undefined }).toEqual(NOTHING);
    expect(await useFor(5, read)).toEqual(NOTHING);
    await lift(target, id);
    await advance(1);
    expect(await useFor(5, read)).toEqual({ ...NOTHING, refreshed: 400 });
    expect(await (await issueTo(await register3[kind](employee))).read()).toMatchObject({ key: true, token: true });
  });

  test('admits no new agent that it concerns, until it is lifted', async () => {
    const id = find(employee);
    const { claim } = (await register()).body;
    const { attempt } = (await begin(claim?.token)).body;
    const { claim: other } = (await register()).body;
    const opened = (await begin(other?.token)).body.attempt;
    const { user_code: code } = (await link(readToken(opened), { organization_id: employee.organizationId })).body;
    await stop(target, id);
    const stopped = { status: 403, body: { code: 'agents_stopped' } };
    expect(await issuer.present('another')).toMatchObject(stopped);
    expect(await link(readToken(attempt), { organization_id: employee.organizationId })).toMatchObject(stopped);
    expect(await complete(other?.token, code)).toMatchObject(stopped);
    const isAnonymousConcerned = concerned.includes('anonymous');
    for (const body of [{ type: 'anonymous' }, { type: 'service_auth', login_hint: ADA }]) {
      if (isAnonymousConcerned) expect(await register(body)).toMatchObject(stopped);
      else expect((await register(body)).status).toBe(200);
    }
    expect((await begin(claim?.token)).status).toBe(isAnonymousConcerned ? 403 : 200);
    await lift(target, id);
    await advance(1);
    expect((await issuer.present('another')).status).toBe(200);
    expect((await register()).status).toBe(200);
    expect((await complete(other?.token, code)).status).toBe(200);
  });

  test('rejects the claim token of a claimed agent, which gets new credentials by it after the stop is lifted', async () => {
    const id = find(employee);
    const { claim } = (await register({ type: 'service_auth', login_hint: ADA })).body;
    const { user_code: code } = (await link(readToken(claim?.attempt), { organization_id: employee.organizationId }))
      .body;
    expect((await complete(claim?.token, code)).status).toBe(200);
    const poll = () =>
      keyless<{ error?: string; identity_assertion?: string }>('token', {
        grant_type: CLAIM_GRANT,
        claim_token: claim?.token,
      });
    await stop(target, id);
    expect(await poll()).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    await lift(target, id);
    await advance(1);
    const { body } = await poll();
    expect((await exchange(body.identity_assertion)).status).toBe(200);
  });
});

test('a stop of an organization or a user does not concern the agents of others, and a claim does not lead out of it', async () => {
  const outside = await newOrganization('Elsewhere');
  await configure({ organization_id: outside });
  const { body } = await register();
  await stop('organization', employee.organizationId);
  await stop('user', employee.userId);
  expect((await exchange(body.identity?.assertion)).status).toBe(200);
  const { attempt } = (await begin(body.claim?.token)).body;
  const { user_code: code } = (await link(readToken(attempt))).body;
  expect(code).toBeUndefined();
  await call('POST', '/x/agents/lift', { target: 'user', target_id: employee.userId });
  await call('POST', '/x/agents/lift', { target: 'organization', target_id: employee.organizationId });
  await advance(1);
  const view = (await link(readToken(attempt), { organization_id: employee.organizationId })).body;
  await stop('organization', outside);
  expect(await complete(body.claim?.token, view.user_code)).toMatchObject({ body: { code: 'agents_stopped' } });
});
