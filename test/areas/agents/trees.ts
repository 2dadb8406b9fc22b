import { expect } from '@jest/globals';
import fc from 'fast-check';

import { newOrganization } from '../../support/organizations.ts';
import { call, idle } from '../../support/service.ts';
import {
  autonomous,
  delegate,
  givePermissions,
  type Member,
  newBlueprint,
  newMember,
  pass,
  PERMISSIONS,
  refresh,
  setMemberPermissions,
  signIn,
  validate,
} from './support.ts';

/** A step: a request for a token or a refresh for one of the agents so far, or a change of the permissions that limit them. */
const step = fc.record({
  kind: fc.constantFrom(
    ...(['user', 'user', 'organization', 'agent', 'agent', 'agent', 'refresh', 'refresh', 'refresh'] as const),
    ...(['ceiling', 'ceiling', 'member', 'invocable', 'role', 'membership'] as const),
  ),
  blueprint: fc.nat({ max: 2 }),
  agent: fc.nat({ max: 50 }),
  permissions: fc.subarray(PERMISSIONS),
  roles: fc.constantFrom<string[][]>([], [], ['member'], ['admin']),
  place: fc.constantFrom('any', 'any', 'own', 'other'),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Agent {
  blueprint: number;
  parent: Agent | undefined;
  isOfUser: boolean;
  token: string;
  refreshToken: string;
  /** The permissions in the agent's last token. */
  permissions: string[];
  /** True after the membership ended: a reactivation does not bring it back. */
  isOver: boolean;
}

/** The `invocable_by` of a blueprint. */
interface Invocable {
  roles: string[];
  place: string;
}

const ROLES = ['member', 'admin'] as const;

/** The model of the steps: the permissions of each blueprint and of the member. */
class World {
  readonly #ids: readonly string[];
  readonly #member: Member;
  readonly agents: Agent[] = [];
  readonly ceilings: string[][];
  readonly #invocable: Invocable[];
  readonly #elsewhere: string;
  /** The permissions of the role `member`; `admin` has none. */
  held: string[] = [...PERMISSIONS];
  #role: (typeof ROLES)[number] = 'member';
  #isActive = true;

  constructor(ids: readonly string[], member: Member, elsewhere: string) {
    this.#ids = ids;
    this.#member = member;
    this.#elsewhere = elsewhere;
    this.ceilings = ids.map(() => [...PERMISSIONS]);
    this.#invocable = ids.map(() => ({ roles: [], place: 'any' }));
  }

  /** Reports whether a blueprint mints for the organization, and for the member or an agent without one. */
  isInvocable(blueprint: number, isOfUser: boolean): boolean {
    const { roles, place } = this.#invocable[blueprint] ?? { roles: [], place: 'any' };
    return place !== 'other' && (roles.length === 0 || (isOfUser && roles.includes(this.#role)));
  }

  async changeInvocable(blueprint: number, { roles, place }: Invocable): Promise<void> {
    const organizations = { any: [], own: [this.#member.organizationId], other: [this.#elsewhere] }[place] ?? [];
    const body = { invocable_by: { role_slugs: roles, organization_ids: organizations } };
    expect((await call('PATCH', `/agents/blueprints/${this.findId(blueprint)}`, body)).status).toBe(200);
    this.#invocable[blueprint] = { roles, place };
  }

  async changeRole(): Promise<void> {
    this.#role = this.#role === 'member' ? 'admin' : 'member';
    const path = `/user_management/organization_memberships/${this.#member.membershipId}`;
    expect((await call('PUT', path, { role_slug: this.#role })).status).toBe(200);
  }

  /** Deactivates the membership, or reactivates it and signs its user in again. */
  async changeMembership(): Promise<void> {
    this.#isActive = !this.#isActive;
    const path = `/user_management/organization_memberships/${this.#member.membershipId}`;
    const verb = this.#isActive ? 'reactivate' : 'deactivate';
    expect((await call('PUT', `${path}/${verb}`)).status).toBe(200);
    for (const agent of this.agents) agent.isOver ||= agent.isOfUser;
    await idle();
    if (this.#isActive) Object.assign(this.#member, await signIn(this.#member.userId, this.#member.organizationId));
  }

  findId(blueprint: number): string {
    return this.#ids[blueprint] ?? '';
  }

  /** The permissions that a token may have at most now. */
  findMost(blueprint: number, parent: Agent | undefined, isOfUser: boolean): string[] {
    const above = parent === undefined ? undefined : this.findHeld(parent);
    const ceiling = this.ceilings[blueprint] ?? [];
    const held = this.#role === 'member' ? this.held : [];
    return ceiling.filter((slug) => (!isOfUser || held.includes(slug)) && (above?.includes(slug) ?? true));
  }

  /** The permissions of an agent's last token that its blueprint, its member and the delegating agent still have. */
  findHeld({ permissions, blueprint, parent, isOfUser }: Agent): string[] {
    const most = this.findMost(blueprint, parent, isOfUser);
    return permissions.filter((slug) => most.includes(slug));
  }

  async start(): Promise<void> {
    await setMemberPermissions(...this.held);
    const body = { permissions: PERMISSIONS, invocable_by: { role_slugs: [], organization_ids: [] } };
    for (const id of this.#ids) await call('PATCH', `/agents/blueprints/${id}`, body);
  }

  /** Makes the membership active with the role `member` again. */
  async finish(): Promise<void> {
    if (!this.#isActive) await this.changeMembership();
    if (this.#role !== 'member') await this.changeRole();
  }

  async refresh(agent: Agent): Promise<void> {
    const { status, body } = await refresh(this.findId(agent.blueprint), agent.refreshToken);
    if (agent.isOver || !this.isInvocable(agent.blueprint, agent.isOfUser)) {
      expect([status >= 400, body.access_token]).toEqual([true, undefined]);
      return;
    }
    expect(status).toBe(200);
    const most = this.findMost(agent.blueprint, agent.parent, agent.isOfUser);
    expect(body.permissions.toSorted()).toEqual(most.toSorted());
    const { access_token: token, refresh_token: refreshToken, permissions } = body;
    Object.assign(agent, { token, refreshToken, permissions, isOver: false });
  }

  /** Requests a token for the member, for the organization, or delegated by an agent. */
  async mint(blueprint: number, parent: Agent | undefined, isForUser: boolean): Promise<void> {
    const id = this.findId(blueprint);
    const isOfUser = parent?.isOfUser ?? isForUser;
    const minted =
      parent !== undefined
        ? await pass(id, parent.token)
        : await (isForUser ? delegate(id, this.#member) : autonomous(id, this.#member.organizationId));
    const isOver = parent?.isOver ?? (isForUser && !this.#isActive);
    if (isOver || !this.isInvocable(blueprint, isOfUser)) {
      expect([minted.status >= 400, minted.body.access_token]).toEqual([true, undefined]);
      return;
    }
    if (minted.body.code === 'chain_depth_exceeded') return;
    expect(minted.status).toBe(200);
    const { access_token: token, refresh_token: refreshToken, permissions } = minted.body;
    expect(permissions.toSorted()).toEqual(this.findMost(blueprint, parent, isOfUser).toSorted());
    this.agents.push({ blueprint, parent, isOfUser, token, refreshToken, permissions, isOver: false });
  }

  /** Validates the last token of an agent. */
  async check(agent: Agent): Promise<void> {
    const { status, body } = await validate(this.findId(agent.blueprint), agent.token);
    if (agent.isOver) {
      expect([status, body.permissions]).toEqual([400, undefined]);
      return;
    }
    expect(status).toBe(200);
    expect(body.permissions?.toSorted()).toEqual(this.findHeld(agent).toSorted());
  }

  async take({ kind, blueprint, agent, permissions, roles, place }: Step): Promise<void> {
    const chosen = this.agents[agent % Math.max(1, this.agents.length)];
    if (kind === 'ceiling') {
      await call('PATCH', `/agents/blueprints/${this.findId(blueprint)}`, { permissions });
      this.ceilings[blueprint] = permissions;
    } else if (kind === 'member') {
      await setMemberPermissions(...permissions);
      this.held = permissions;
    } else if (kind === 'invocable') {
      await this.changeInvocable(blueprint, { roles, place });
    } else if (kind === 'role') {
      await this.changeRole();
    } else if (kind === 'membership') {
      await this.changeMembership();
    } else if (kind === 'user' || kind === 'organization') {
      await this.mint(blueprint, undefined, kind === 'user');
    } else if (chosen !== undefined) {
      await (kind === 'refresh' ? this.refresh(chosen) : this.mint(blueprint, chosen, false));
    }
  }
}

/**
 * Makes random sequences of requests for tokens, refreshes and changes, and validates the last agents after each step: no
 * token and no validation has a permission that the delegating agent, the blueprint or the user lacks at that moment.
 * @param longest the maximum number of steps of a walk
 */
export async function walkTrees(runs: number, longest: number): Promise<void> {
  await givePermissions();
  const member = await newMember();
  const elsewhere = await newOrganization('Elsewhere');
  const ids = [await newBlueprint(), await newBlueprint(), await newBlueprint()];
  let minted = 0;
  const walk = async (steps: readonly Step[]) => {
    const world = new World(ids, member, elsewhere);
    await world.start();
    await world.mint(0, undefined, true);
    await world.mint(1, undefined, false);
    for (const one of steps) {
      await world.take(one);
      for (const agent of world.agents.slice(-3)) await world.check(agent);
    }
    minted += world.agents.length;
    await world.finish();
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: longest }), walk), { numRuns: runs });
  expect(minted).toBeGreaterThanOrEqual(2 * runs);
}
