import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { autonomous, delegate, newBlueprint, newMember, pass, readState, refresh } from './support.ts';

interface Stop {
  target: string;
  reason: string;
  stopped_at: string;
  lifted_at: string | null;
  code?: string;
}

const stop = (target: string, id?: string, reason = 'Incident 42') =>
  call<Stop>('POST', '/x/agents/stop', { target, target_id: id, reason });
const lift = (target: string, id?: string) => call<Stop>('POST', '/x/agents/lift', { target, target_id: id });

beforeEach(() => reset({ calm: true }));

async function world() {
  const member = await newMember();
  const [blueprintId, other] = [await newBlueprint(), await newBlueprint()];
  const own = (await delegate(blueprintId, member)).body;
  const organization = (await autonomous(blueprintId, member.organizationId)).body;
  const child = (await pass(other, own.access_token)).body;
  const elsewhere = await newMember();
  const apart = (await delegate(other, elsewhere)).body;
  return { member, blueprintId, other, own, organization, child, elsewhere, apart };
}

type World = Awaited<ReturnType<typeof world>>;

/**
 * The targets of a stop, and whether it invalidates the tokens of a member, of the organization, of a delegated agent, and of
 * others.
 */
const TARGETS: readonly [string, (held: World) => string | undefined, boolean[]][] = [
  ['environment', () => undefined, [true, true, true, true]],
  ['organization', ({ member }) => member.organizationId, [true, true, true, false]],
  ['user', ({ member }) => member.userId, [true, false, true, false]],
  ['agent_blueprint', ({ blueprintId }) => blueprintId, [true, true, true, false]],
];

describe('a stop of agents', () => {
  test.each(TARGETS)(
    'of %s invalidates its sessions from the response on, and prevents new ones',
    async (target, find, ends) => {
      const held = await world();
      const { blueprintId, other, own, organization, child, apart, member } = held;
      const id = find(held);
      expect(await stop(target, id)).toMatchObject({
        status: 200,
        body: { target, reason: 'Incident 42', lifted_at: null },
      });
      const states = async () => [
        await readState(blueprintId, own.access_token),
        await readState(blueprintId, organization.access_token),
        await readState(other, child.access_token),
        await readState(other, apart.access_token),
      ];
      const expected = ends.map((isEnded) => (isEnded ? 'session_revoked' : 'valid'));
      expect(await states()).toEqual(expected);
      expect((await refresh(blueprintId, own.refresh_token)).body.code).toBe('session_revoked');
      expect(await delegate(blueprintId, member)).toMatchObject({ status: 403, body: { code: 'agents_stopped' } });
      await idle();
      for (const [at, { agent_instance_session_id: session }] of [own, organization, child, apart].entries()) {
        const { body } = await call<{ status: string }>('GET', `/agents/sessions/${session}`);
        expect(body.status).toBe(ends[at] === true ? 'revoked' : 'active');
      }
      expect((await lift(target, id)).body.lifted_at).not.toBeNull();
      expect((await lift(target, id)).status).toBe(200);
      expect(await states()).toEqual(expected);
      const again = (await delegate(blueprintId, member)).body;
      expect(await readState(blueprintId, again.access_token)).toBe('valid');
      const query = `target=${target}${id === undefined ? '' : `&target_id=${id}`}`;
      expect((await call<Stop>('GET', `/x/agents/stop?${query}`)).body.reason).toBe('Incident 42');
    },
  );

  test('that is repeated keeps its time and gets the new reason; after it was lifted, it gets a new time', async () => {
    const first = (await stop('environment')).body;
    const second = (await stop('environment', undefined, 'Still 😀')).body;
    expect(second).toEqual({ ...first, reason: 'Still 😀' });
    await lift('environment');
    const third = (await stop('environment')).body;
    expect(third.stopped_at > first.stopped_at).toBe(true);
  });

  test('requires an existing target, and an id if the target has one', async () => {
    for (const [target, id, status] of [
      ['organization', 'org_01K0G000000000000000000009', 404],
      ['user', 'user_01K0G000000000000000000009', 404],
      ['agent_blueprint', 'agent_blueprint_01K0G000000000000000000009', 404],
      ['organization', undefined, 422],
      ['environment', 'org_01K0G000000000000000000009', 422],
      ['everything', undefined, 422],
    ] as const)
      expect((await stop(target, id)).status).toBe(status);
    expect((await stop('environment', undefined, ' ')).status).toBe(422);
    expect((await lift('environment')).status).toBe(404);
    expect((await lift('user')).status).toBe(422);
    expect((await call('GET', '/x/agents/stop?target=environment')).status).toBe(404);
    expect((await call('GET', '/x/agents/stop?target=user')).status).toBe(422);
  });
});
