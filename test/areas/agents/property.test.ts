import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { call, reset } from '../../support/service.ts';
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
  validate,
} from './support.ts';

/** A step: a request for a token or a refresh for one of the agents so far, or a change of the permissions that limit them. */
const step = fc.record({
  kind: fc.constantFrom('user', 'organization', 'agent', 'agent', 'refresh', 'refresh', 'ceiling', 'ceiling', 'member'),
  blueprint: fc.nat({ max: 2 }),
  agent: fc.nat({ max: 50 }),
  permissions: fc.subarray(PERMISSIONS),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Agent {
  blueprint: number;
  parent: Agent | undefined;
  isOfUser: boolean;
  token: string;
  refreshToken: string;
  /** The permissions in its last token. */
  permissions: string[];
}

beforeEach(() => reset({ calm: true }));

/** The model of the steps: the permissions of each blueprint and of the member. */
class World {
  readonly #ids: readonly string[];
  readonly #member: Member;
  readonly agents: Agent[] = [];
  readonly ceilings: string[][];
  held: string[] = [...PERMISSIONS];

  constructor(ids: readonly string[], member: Member) {
    this.#ids = ids;
    this.#member = member;
    this.ceilings = ids.map(() => [...PERMISSIONS]);
  }

  findId(blueprint: number): string {
    return this.#ids[blueprint] ?? '';
  }

  /** The permissions that a token may have at most now. */
  findMost(blueprint: number, parent: Agent | undefined, isOfUser: boolean): string[] {
    const above = parent === undefined ? undefined : this.findHeld(parent);
    const ceiling = this.ceilings[blueprint] ?? [];
    return ceiling.filter((slug) => (!isOfUser || this.held.includes(slug)) && (above?.includes(slug) ?? true));
  }

  /** The permissions of an agent's last token that its blueprint, its member and the delegating agent still have. */
  findHeld({ permissions, blueprint, parent, isOfUser }: Agent): string[] {
    const most = this.findMost(blueprint, parent, isOfUser);
    return permissions.filter((slug) => most.includes(slug));
  }

  async start(): Promise<void> {
    await setMemberPermissions(...this.held);
    for (const id of this.#ids) await call('PATCH', `/agents/blueprints/${id}`, { permissions: PERMISSIONS });
  }

  async refresh(agent: Agent): Promise<void> {
    const { status, body } = await refresh(this.findId(agent.blueprint), agent.refreshToken);
    expect(status).toBe(200);
    const most = this.findMost(agent.blueprint, agent.parent, agent.isOfUser);
    expect(body.permissions.toSorted()).toEqual(most.toSorted());
    const { access_token: token, refresh_token: refreshToken, permissions } = body;
    Object.assign(agent, { token, refreshToken, permissions });
  }

  /** Requests a token for the member, for the organization, or delegated by an agent. */
  async mint(blueprint: number, parent: Agent | undefined, isForUser: boolean): Promise<void> {
    const id = this.findId(blueprint);
    const isOfUser = parent?.isOfUser ?? isForUser;
    const minted =
      parent !== undefined
        ? await pass(id, parent.token)
        : await (isForUser ? delegate(id, this.#member) : autonomous(id, this.#member.organizationId));
    if (minted.body.code === 'chain_depth_exceeded') return;
    expect(minted.status).toBe(200);
    const { access_token: token, refresh_token: refreshToken, permissions } = minted.body;
    expect(permissions.toSorted()).toEqual(this.findMost(blueprint, parent, isOfUser).toSorted());
    this.agents.push({ blueprint, parent, isOfUser, token, refreshToken, permissions });
  }

  async take({ kind, blueprint, agent, permissions }: Step): Promise<void> {
    const chosen = this.agents[agent % Math.max(1, this.agents.length)];
    if (kind === 'ceiling') {
      await call('PATCH', `/agents/blueprints/${this.findId(blueprint)}`, { permissions });
      this.ceilings[blueprint] = permissions;
    } else if (kind === 'member') {
      await setMemberPermissions(...permissions);
      this.held = permissions;
    } else if (kind === 'user' || kind === 'organization') {
      await this.mint(blueprint, undefined, kind === 'user');
    } else if (chosen !== undefined) {
      await (kind === 'refresh' ? this.refresh(chosen) : this.mint(blueprint, chosen, false));
    }
  }
}

test('no token and no validation contains a permission that the delegating agent, the blueprint or the user does not have', async () => {
  await givePermissions();
  const member = await newMember();
  const ids = [await newBlueprint(), await newBlueprint(), await newBlueprint()];
  let minted = 0;
  const walk = async (steps: readonly Step[]) => {
    const world = new World(ids, member);
    await world.start();
    for (const one of steps) {
      await world.take(one);
      for (const agent of world.agents.slice(-3)) {
        const { status, body } = await validate(world.findId(agent.blueprint), agent.token);
        expect(status).toBe(200);
        expect(body.permissions?.toSorted()).toEqual(world.findHeld(agent).toSorted());
      }
    }
    minted += world.agents.length;
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), walk), { numRuns: 12 });
  expect(minted).toBeGreaterThan(20);
}, 120_000);
