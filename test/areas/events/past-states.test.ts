import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { computeState, type RecordEvent } from '../../../functions/past-states/past-state/rules.ts';
import { stageUser } from '../../../functions/users/public.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, now, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { MEMBERSHIPS, newMembership, newUser, USERS } from '../user-management/users.ts';

type Snapshot = Record<string, unknown>;
interface PastState {
  existed: boolean;
  record: Snapshot | null;
  unknown: string[];
  event_id: string | null;
}

beforeEach(() => reset());

const readAt = (path: string, time: string | number, more = '') =>
  call<PastState & { code?: string }>('GET', `/x${path}/at?time=${new Date(time).toISOString()}${more}`);

async function at(path: string, time: string | number, more = ''): Promise<PastState> {
  await idle();
  const { status, body } = await readAt(path, time, more);
  expect([status, body]).toMatchObject([200, { object: 'past_state' }]);
  return body;
}
const user = (id: string): string => `/user-management/users/${id}`;

/** A record without the members that its past state leaves out. */
const known = (record: Snapshot, unknown: readonly string[]): Snapshot =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !unknown.includes(name)));

/** Random changes of a user; each is a body of its update. */
const changes = fc.array(
  fc.oneof(
    fc.record({ first_name: fc.constantFrom('Ada', 'Grace', 'Mary') }),
    fc.record({ last_name: fc.constantFrom('Byron', 'Hopper'), name: fc.constantFrom('A', 'B') }),
    fc.record({ email: fc.constantFrom('a@acme.example', 'b@acme.example', 'c@acme.example') }),
    fc.record({ email_verified: fc.boolean() }),
    fc.record({ external_id: fc.constantFrom('one', 'two', null) }),
    fc.record({ metadata: fc.constantFrom({ tier: 'gold' }, { tier: null }, { seat: '4' }) }),
    fc.record({ locale: fc.constantFrom('de', 'fr', null) }),
  ),
  { minLength: 1, maxLength: 6 },
);

describe('the state of a record at a moment', () => {
  test('is what a recorder saw after each change of a random history, before it and after the deletion', async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (bodies, isDeleted) => {
        await reset();
        const recorded: { time: number; record: Snapshot | null }[] = [];
        const { id } = await newUser({ email: 'a@acme.example' });
        const record = async (): Promise<void> => {
          const { status, body } = await call<Snapshot>('GET', `${USERS}/${id}`);
          recorded.push({ time: await now(), record: status === 200 ? body : null });
          await advance(3);
        };
        const start = (await now()) - 60_000;
        await record();
        for (const body of bodies) {
          await call('PUT', `${USERS}/${id}`, body);
          await record();
        }
        if (isDeleted) {
          await call('DELETE', `${USERS}/${id}`);
          await record();
        }
        await advance(60);
        for (const { time, record: seen } of recorded) {
          const state = await at(user(id), time);
          expect(state.existed).toBe(seen !== null);
          expect(state.unknown).toEqual(seen === null ? [] : ['last_sign_in_at']);
          expect(state.record).toEqual(seen === null ? null : known(seen, state.unknown));
        }
        expect(await at(user(id), start)).toMatchObject({ existed: false, record: null, unknown: [] });
      }),
      { numRuns: 12, endOnFailure: true },
    );
  }, 120_000);

  test('of an organization has its domains until one of them changes', async () => {
    const { body } = await call<Snapshot>('POST', '/organizations', { name: 'Acme', domain_data: [] });
    const id = String(body.id);
    await advance(10);
    const before = await now();
    await advance(10);
    const added = await call('POST', '/organization_domains', { organization_id: id, domain: 'acme.example' });
    expect(added.status).toBe(201);
    await advance(10);
    const after = await now();
    await advance(10);
    await call('PUT', `/organizations/${id}`, { name: 'Renamed' });
    await advance(10);
    const path = `/organizations/${id}`;
    expect(await at(path, before)).toMatchObject({ record: { name: 'Acme', domains: [] }, unknown: [] });
    const later = await at(path, after);
    expect([later.record?.name, later.unknown]).toEqual(['Acme', ['domains']]);
    expect(later.record).not.toHaveProperty('domains');
    expect((await at(path, (await now()) - 1_000)).record).toMatchObject({ name: 'Renamed' });
  });

  test('of a membership follows its status and role, also after it was deleted, by its user', async () => {
    const [person, organization] = [await newUser(), await newOrganization()];
    const { id } = await newMembership(person.id, organization);
    await advance(10);
    const active = await now();
    await advance(10);
    await call('PUT', `${MEMBERSHIPS}/${id}/deactivate`);
    await advance(10);
    const inactive = await now();
    await advance(10);
    const path = `/user-management/organization_memberships/${id}`;
    expect((await at(path, active)).record).toMatchObject({ status: 'active', role: { slug: 'member' } });
    expect((await at(path, inactive)).record).toMatchObject({ status: 'inactive' });
    await call('DELETE', `${MEMBERSHIPS}/${id}`);
    await advance(10);
    expect((await readAt(path, active)).status).toBe(404);
    expect((await at(path, active, `&user_id=${person.id}`)).record).toMatchObject({ status: 'active' });
    expect(await at(path, (await now()) - 1_000, `&user_id=${person.id}`)).toMatchObject({ existed: false });
  });

  test('of a record without events is that of now, back to its creation', async () => {
    const id = await writeUserWithoutEvents();
    await advance(100);
    expect(await at(user(id), (await now()) - 50_000)).toMatchObject({ existed: true, event_id: null });
    expect(await at(user(id), (await now()) - 1_000_000)).toMatchObject({ existed: false, record: null });
  });

  test('is rejected for a moment outside of the retention, in the future, or now', async () => {
    const [{ id }, organization] = [await newUser(), await newOrganization()];
    const membership = `/user-management/organization_memberships/${(await newMembership(id, organization)).id}`;
    for (const path of [user(id), `/organizations/${organization}`, membership]) {
      for (const time of [(await now()) - 91 * 86_400_000, (await now()) + 60_000]) {
        const { status, body } = await readAt(path, time);
        expect([path, status, body.code]).toEqual([path, 400, 'time_not_known']);
      }
    }
    expect((await call('GET', `/x${user(id)}/at?time=yesterday`)).status).toBe(422);
    expect((await call('GET', `/x${user(id)}/at`)).status).toBe(422);
  });

  test('is not found for an unknown record, or one of another environment', async () => {
    const [person, organization] = [await newUser(), await newOrganization()];
    const { id } = await newMembership(person.id, organization);
    await advance(10);
    const { apiKey } = await otherEnvironment();
    const time = new Date((await now()) - 5_000).toISOString();
    for (const path of [
      user(person.id),
      `/organizations/${organization}`,
      `/user-management/organization_memberships/${id}`,
    ]) {
      const foreign = await call('GET', `/x${path}/at?time=${time}&user_id=${person.id}`, undefined, { apiKey });
      expect([path, foreign.status]).toEqual([path, 404]);
      const unknown = path.replace(/.{4}$/, '0000');
      expect([unknown, (await call('GET', `/x${unknown}/at?time=${time}`)).status]).toEqual([unknown, 404]);
    }
  });
});

/** A user as rows, like an imported one. */
async function writeUserWithoutEvents(): Promise<string> {
  const environmentId = await environment();
  const id = await applyWork(environmentId, systemActor, async (unit) => {
    unit.suppressEvents();
    return stageUser(unit, { environmentId, email: 'imported@acme.example', emailVerified: true }).id;
  });
  await idle();
  return id;
}

describe('the computation of a state', () => {
  const event = (name: string, data: Snapshot, previous: Snapshot = {}): RecordEvent => ({
    id: name,
    name,
    data,
    previous,
  });

  test('undoes the first change after the moment if the events before it are gone', () => {
    const after = [event('user.updated', { id: 'u', first_name: 'Ada', locale: 'de' }, { first_name: null })];
    expect(computeState({ before: [], after, current: undefined }, [])).toMatchObject({
      record: { id: 'u', first_name: null, locale: 'de' },
      unknown: ['updated_at'],
    });
  });

  test('is the deleted record if the deletion is the first event after the moment', () => {
    const after = [event('user.deleted', { id: 'u', locale: 'de' })];
    expect(computeState({ before: [], after, current: undefined }, ['x'])).toMatchObject({
      record: { id: 'u', locale: 'de' },
      unknown: ['x'],
    });
  });
});
