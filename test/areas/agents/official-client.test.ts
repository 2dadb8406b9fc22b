import { beforeEach, expect, test } from '@jest/globals';

import { recordCalls } from '../../support/called-methods.ts';
import { idle, reset, sdk } from '../../support/service.ts';
import { ADA, begin, complete, configure, exchange, readToken, register } from './registering.ts';
import { givePermissions, newMember } from './support.ts';

const SESSIONS = { maxAgeSeconds: 7_200, accessTokenTtlSeconds: 300, refreshTokenTtlSeconds: 900 };

beforeEach(async () => {
  await reset();
  await givePermissions('posts:read');
  await configure();
});

test('every method for agents of the official client works, from a blueprint to the end of what it made', async () => {
  const { part: agents, listUncalled } = recordCalls(sdk().agents);
  const member = await newMember();

  const { id: blueprintId } = await agents.createBlueprint({
    name: 'Writer',
    permissions: ['posts:read', 'posts:write'],
    sessionSettings: SESSIONS,
  });
  expect(await agents.getBlueprint(blueprintId)).toMatchObject({ name: 'Writer', sessionSettings: SESSIONS });
  await agents.updateBlueprint({ agentBlueprintId: blueprintId, name: 'Author' });

  const mint = { agentBlueprintId: blueprintId };
  const delegated = await agents.mintToken({
    ...mint,
    type: 'user_delegated',
    userAccessToken: member.token,
    intent: 'Write a summary',
  });
  expect(delegated).toMatchObject({ newInstance: true, permissions: ['posts:read'], tokenType: 'Bearer' });
  const below = await agents.mintToken({ ...mint, type: 'agent_delegated', agentAccessToken: delegated.accessToken });
  expect(below.permissions).toEqual(['posts:read']);
  const refreshed = await agents.mintToken({ ...mint, type: 'refresh', refreshToken: delegated.refreshToken });
  expect(refreshed).toMatchObject({ newInstance: false, agentInstanceSessionId: delegated.agentInstanceSessionId });
  const autonomous = await agents.mintToken({ ...mint, type: 'autonomous', organizationId: member.organizationId });
  expect(autonomous.permissions).toEqual(['posts:read', 'posts:write']);

  await idle();
  const listed = await agents.listInstances({ agentBlueprintId: blueprintId });
  expect(listed.data.map(({ type }) => type).toSorted()).toEqual(['autonomous', 'delegated']);
  expect(await agents.getInstance(autonomous.agentInstanceId)).toMatchObject({ type: 'autonomous' });
  const sessions = await agents.listInstanceSessions({ agentBlueprintId: blueprintId });
  expect(sessions.data.map(({ id }) => id)).toContain(delegated.agentInstanceSessionId);
  const revoked = await agents.revokeInstanceSession(delegated.agentInstanceSessionId);
  expect(revoked).toMatchObject({ status: 'revoked', revokedAt: expect.any(String) });
  expect(await agents.getInstanceSession(delegated.agentInstanceSessionId)).toEqual(revoked);
  await agents.deleteInstance(autonomous.agentInstanceId);
  await expect(agents.getInstance(autonomous.agentInstanceId)).rejects.toMatchObject({ status: 404 });

  const { body: registered } = await register();
  const { attempt } = (await begin(registered.claim?.token)).body;
  const user = { email: ADA, externalId: 'ada' };
  const view = await agents.linkClaimAttemptToExternalUser({ claimAttemptToken: readToken(attempt), user });
  expect(view).toMatchObject({ id: registered.id, status: 'unverified' });
  const claimed = (await complete(registered.claim?.token, view.userCode)).body;
  expect(await agents.getRegistration(registered.id)).toMatchObject({ id: registered.id, status: 'verified' });
  const key = (await exchange(claimed.identity.assertion, { credential_type: 'api_key' })).body.access_token;
  expect(await agents.validateCredential({ type: 'api_key', credential: key })).toMatchObject({ valid: true });
  const token = (await exchange(claimed.identity.assertion)).body.access_token;
  const presented = { type: 'access_token', credential: token } as const;
  expect(await agents.validateCredential(presented)).toMatchObject({ valid: true, registrationId: registered.id });
  expect(await agents.validateCredential({ ...presented, checkForRevoked: true })).toMatchObject({ valid: true });
  // Both are signed by keys of the same set, and only the second way asks the service.
  const ofBlueprint = { type: 'access_token', credential: autonomous.accessToken, checkForRevoked: true } as const;
  expect(await agents.validateCredential(ofBlueprint)).toMatchObject({ valid: false });

  await agents.deleteBlueprint(blueprintId);
  await idle();
  expect((await agents.listBlueprints()).data).toEqual([]);
  expect(listUncalled()).toEqual([]);
});
