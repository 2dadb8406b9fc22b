import { beforeEach, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

import { call, reset, sdk, service } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import { newFlag, newOrganization, onForOrganization, onForUser, target } from './support.ts';

beforeEach(() => reset());

const PASSWORD = 'quiet-Lantern-84-under-oak';
const USERS = 5;
const ORGANIZATIONS = 4;
const FLAGS = 24;
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
  for (let at = 0; at < FLAGS; at += 1) {
    await newFlag(`flag-${at}`, { enabled: chance(0.8), default_value: chance(0.2) });
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
  const evaluate = (context: { userId?: string; organizationId?: string }): string[] =>
    Object.entries(client.getAllFlags(context))
      .flatMap(([slug, isOn]) => (isOn ? [slug] : []))
      .sort();
  for (const { id, joined } of users) {
    const everywhere = joined.map((organizationId) => evaluate({ userId: id, organizationId }));
    expect(union(evaluate({ userId: id }), ...everywhere)).toEqual(await onForUser(id));
  }
  const withoutContext = evaluate({});
  const judge = (user: Person | undefined, organizationId: string | undefined): boolean => {
    const context = { ...(user && { userId: user.id }), ...(organizationId !== undefined && { organizationId }) };
    const expected = union(withoutContext, own.get(user?.id ?? '') ?? [], lists.get(organizationId ?? '') ?? []);
    const claim = claims.get(`${user?.id} ${organizationId}`);
    const evaluated = evaluate(context);
    if ([evaluated, claim ?? expected].some((flags) => flags.join() !== expected.join())) {
      expect({ context, evaluated, claim }).toEqual({ context, evaluated: expected, claim: expected });
    }
    return claim !== undefined;
  };
  let seen = 0;
  for (let at = 0; at < CONTEXTS; at += 1) {
    const hasClaim = judge(chance(0.8) ? pick(users) : undefined, chance(0.8) ? pick(organizations) : undefined);
    if (hasClaim) seen += 1;
  }
  expect(claims.size).toBeGreaterThan(USERS);
  expect(seen).toBeGreaterThan(CONTEXTS / 10);
});
