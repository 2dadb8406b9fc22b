import { beforeEach, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { call, idle, reset } from '../../support/service.ts';
import {
  autonomous,
  delegate,
  givePermissions,
  type Member,
  moveAway,
  newBlueprint,
  newMember,
  pass,
} from './support.ts';

/** The state of the delegating user: the membership and the session. */
const STATES = ['a member', 'a former member', 'a member whose session has ended'] as const;
/** The organizations that a blueprint lists. */
const LISTS = ['none', 'this one', 'another one', 'a deleted one'] as const;
/** The roles that a blueprint lists: none, the member's, and another one. */
const ROLES = ['none', 'the member’s', 'another one'] as const;
/** The presented right: a session, an organization, or the token of an agent at a depth of a user or an organization. */
const TYPES = ['user', 'organization', 'agent of a user', 'fifth agent of a user', 'agent', 'fifth agent'] as const;

type State = (typeof STATES)[number];
type Type = (typeof TYPES)[number];

/** The outcome that the rules require: 200 or the code of the error. Of several errors, the first one of this order is reported. */
function expected(type: Type, state: State, list: (typeof LISTS)[number], role: (typeof ROLES)[number]) {
  const isOfUser = type === 'user' || type.endsWith('of a user');
  if (isOfUser && state === 'a member whose session has ended') return 'user_session_ended';
  if (isOfUser && state === 'a former member') return 'user_not_member_of_organization';
  if (type.startsWith('fifth')) return 'chain_depth_exceeded';
  if (list === 'another one' || list === 'a deleted one') return 'organization_not_invocable';
  if (role === 'another one' || (role !== 'none' && !isOfUser)) return 'role_not_invocable';
  return 200;
}

/** A chain of five agents. @returns the tokens of the first and the last */
async function chain(blueprintId: string, first: string): Promise<{ first: string; fifth: string }> {
  let token = first;
  for (let depth = 2; depth <= 5; depth += 1) token = (await pass(blueprintId, token)).body.access_token;
  return { first, fifth: token };
}

/** Puts a member into a state. The session of a former member continues in another organization. */
async function bring(member: Member, state: State): Promise<void> {
  if (state === 'a former member') {
    await moveAway(member);
    const path = `/user_management/organization_memberships/${member.membershipId}`;
    expect((await call('PUT', `${path}/deactivate`)).status).toBe(200);
  }
  if (state === 'a member whose session has ended')
    expect((await call('POST', '/user_management/sessions/revoke', { session_id: member.sessionId })).status).toBe(200);
  await idle();
}

beforeEach(() => reset({ calm: true }));

test('every type of request has the required outcome for every list, role, membership, session and depth', async () => {
  await givePermissions('posts:read');
  const organizationId = await newOrganization();
  const [other, deleted] = [await newOrganization('Other'), await newOrganization('Deleted')];
  await call('POST', '/authorization/roles', { slug: 'boss', name: 'Boss' });
  const organizations = { none: [], 'this one': [organizationId], 'another one': [other], 'a deleted one': [deleted] };
  const roles = { none: [], 'the member’s': ['member'], 'another one': ['boss'] };
  const blueprints = await Promise.all(
    LISTS.flatMap((list) => ROLES.map((role) => ({ list, role }))).map(async ({ list, role }) => {
      const invocable = { organization_ids: organizations[list], role_slugs: roles[role] };
      return { list, role, id: await newBlueprint({ invocable_by: invocable }) };
    }),
  );
  const cells = blueprints.flatMap((blueprint) => TYPES.map((type) => ({ ...blueprint, type })));
  await call('DELETE', `/organizations/${deleted}`);
  const open = await newBlueprint();
  const ofOrganization = await chain(open, (await autonomous(open, organizationId)).body.access_token);
  const wrong: unknown[] = [];
  let count = 0;
  for (const state of STATES) {
    const member = await newMember(organizationId);
    const ofUser = await chain(open, (await delegate(open, member)).body.access_token);
    await bring(member, state);
    const ask: Readonly<Record<Type, (id: string) => ReturnType<typeof pass>>> = {
      user: (id) => delegate(id, member),
      organization: (id) => autonomous(id, organizationId),
      'agent of a user': (id) => pass(id, ofUser.first),
      'fifth agent of a user': (id) => pass(id, ofUser.fifth),
      agent: (id) => pass(id, ofOrganization.first),
      'fifth agent': (id) => pass(id, ofOrganization.fifth),
    };
    for (const { list, role, id, type } of cells) {
      const { status, body } = await ask[type](id);
      const [seen, wanted] = [body.code ?? status, expected(type, state, list, role)];
      count += 1;
      if (seen !== wanted) wrong.push({ type, state, list, role, seen, wanted });
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBe(STATES.length * LISTS.length * ROLES.length * TYPES.length);
});
