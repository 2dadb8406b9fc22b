import { beforeEach, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

import { call, reset, sdk, service } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import { newFlag, newOrganization, onForOrganization, onForUser, target } from './support.ts';

beforeEach(() => reset());

const PASSWORD = 'quiet-Lantern-84-under-oak';
const USERS = 6;
const ORGANIZATIONS = 5;
const FLAGS = 24;
/** Ids of custom targets of the type `team`, from 0 on. */
const TEAMS = 100;
/** Custom targets of each flag. */
const TEAMS_OF_A_FLAG = 3;
const CONTEXTS = 10_000;

/** Numbers from 0 to 1 that repeat at each run (a linear congruential generator). */
function* numbers(): Generator<number, never> {
  for (let state = 7; ;) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}

const flagsIn = (token: string): string[] => (decodeJwt(token).feature_flags as string[] | undefined) ?? [];
const union = (...lists: string[][]): string[] => [...new Set(lists.flat())].sort();

interface Person {
  id: string;
  email: string;
  /** The organizations that the user joins. */
  joined: string[];
}

/**
 * The claims of a user's tokens: of a session without an organization, which has the flags of the user only, and after
 * refreshes into each organization in turn.
 */
async function readClaims({ id, email, joined }: Person) {
  const { clientId } = await service();
  const { userManagement } = sdk();
  await call('PUT', `/user_management/users/${id}`, { email_verified: true });
  let { accessToken, refreshToken } = await userManagement.authenticateWithPassword({
    ...{ clientId, email },
    password: PASSWORD,
  });
  const own = flagsIn(accessToken);
  const inOrganizations = new Map<string, string[]>();
  for (const organizationId of joined) {
    await addMembership(id, organizationId);
    ({ accessToken, refreshToken } = await userManagement.authenticateWithRefreshToken({
      ...{ clientId, refreshToken },
      organizationId,
    }));
    inOrganizations.set(organizationId, flagsIn(accessToken));
  }
  return { own, inOrganizations };
}

test('the runtime client, the lists of flags and the claim of the access token agree on 10,000 random contexts', async () => {
  const random = numbers();
  const chance = (share: number) => random.next().value < share;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next().value * from.length)] as T;
  const organizations: string[] = [];
  for (let at = 0; at < ORGANIZATIONS; at += 1) organizations.push(await newOrganization(`Org ${at}`));
  const users: Person[] = [];
  for (let at = 0; at < USERS; at += 1) {
    const email = `user${at}@example.com`;
    const { body } = await call<{ id: string }>('POST', '/user_management/users', { email, password: PASSWORD });
    users.push({ id: body.id, email, joined: organizations.filter(() => chance(0.5)) });
  }
  const ofTeams = new Map<string, string[]>();
  for (let at = 0; at < FLAGS; at += 1) {
    const [enabled, default_value] = [chance(0.8), chance(0.2)];
    await newFlag(`flag-${at}`, { enabled, default_value });
    const targeted = Array.from({ length: TEAMS_OF_A_FLAG }, () => `${Math.floor(random.next().value * TEAMS)}`);
    for (const team of new Set(targeted)) {
      expect((await call('POST', `/x/feature-flags/flag-${at}/targets/team/${team}`)).status).toBe(204);
      if (enabled) ofTeams.set(team, union(ofTeams.get(team) ?? [], [`flag-${at}`]));
    }
    for (const id of [...users.map((user) => user.id), ...organizations]) {
      if (chance(0.2)) await target(`flag-${at}`, id);
    }
  }

  const own = new Map<string, string[]>();
  const claims = new Map<string, string[]>();
  for (const user of users) {
    const found = await readClaims(user);
    own.set(user.id, found.own);
    for (const [organizationId, flags] of found.inOrganizations) claims.set(`${user.id} ${organizationId}`, flags);
  }
  const lists = new Map<string, string[]>();
  for (const id of organizations) lists.set(id, await onForOrganization(id));

  const client = sdk().featureFlags.createRuntimeClient();
  await client.waitUntilReady({ timeoutMs: 5_000 });
  client.close();
  const evaluate = (context: { userId?: string; organizationId?: string } | Record<string, { id: string }>): string[] =>
    Object.entries(client.getAllFlags(context))
      .flatMap(([slug, isOn]) => (isOn ? [slug] : []))
      .sort();
  for (const { id, joined } of users) {
    const everywhere = joined.map((organizationId) => evaluate({ userId: id, organizationId }));
    expect(union(evaluate({ userId: id }), ...everywhere)).toEqual(await onForUser(id));
  }
  const withoutContext = evaluate({});
  const contexts = new Set<string>();
  const decideByModel = (userId?: string, organizationId?: string, team?: string): boolean => {
    // The client accepts ids of users and organizations as its own members only if there are no other targets.
    const context =
      team === undefined
        ? { ...(userId !== undefined && { userId }), ...(organizationId !== undefined && { organizationId }) }
        : {
            ...(userId !== undefined && { user: { id: userId } }),
            ...(organizationId !== undefined && { organization: { id: organizationId } }),
            team: { id: team },
          };
    contexts.add(JSON.stringify(context));
    const known = union(withoutContext, own.get(userId ?? '') ?? [], lists.get(organizationId ?? '') ?? []);
    // Lists and claims do not know custom targets.
    const expected = union(known, ofTeams.get(team ?? '') ?? []);
    const claim = claims.get(`${userId} ${organizationId}`);
    const evaluated = evaluate(context);
    if (evaluated.join() !== expected.join() || (claim ?? known).join() !== known.join()) {
      expect({ context, evaluated, claim }).toEqual({ context, evaluated: expected, claim: known });
    }
    return claim !== undefined;
  };
  const userIds = [...users.map(({ id }) => id), 'user_01JX0000000000000000000000'];
  const organizationIds = [...organizations, 'org_01JX0000000000000000000000'];
  let seen = 0;
  for (let at = 0; at < CONTEXTS; at += 1) {
    const userId = chance(0.9) ? pick(userIds) : undefined;
    const organizationId = chance(0.9) ? pick(organizationIds) : undefined;
    const team = chance(0.9) ? `${Math.floor(random.next().value * TEAMS)}` : undefined;
    if (decideByModel(userId, organizationId, team)) seen += 1;
  }
  // Only a few of the ids are repeated.
  expect(contexts.size).toBeGreaterThan(CONTEXTS / 4);
  expect(claims.size).toBeGreaterThan(USERS);
  expect(seen).toBeGreaterThan(CONTEXTS / 10);
});
