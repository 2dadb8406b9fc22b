import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { computeState, type RecordEvent } from '../../../functions/record/modules/past-states/past-state/rules.ts';
import { stageUser } from '../../../functions/tenancy/modules/users/public.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, now, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { MEMBERSHIPS, newMembership, newUser, USERS } from '../user-management/users.ts';
import { checkHistories, type PastState, readAt, type Snapshot } from './histories.ts';

beforeEach(() => reset());

async function at(path: string, time: string | number, more = ''): Promise<PastState> {
  await idle();
  const { status, body } = await readAt(path, time, more);
  expect([status, body]).toMatchObject([200, { object: 'past_state' }]);
  return body;
}
const user = (id: string): string => `/user-management/users/${id}`;

describe('the state of a record at a moment', () => {
  test('is what a recorder saw of a user, an organization and a membership after each step of random histories', async () => {
    const { states, fromEvents, unknown } = await checkHistories(5, 8);
    expect(states).toBeGreaterThan(50);
    expect(fromEvents).toBeGreaterThan(50);
    expect(unknown).toBeGreaterThan(0);
  }, 120_000);

  test('of an organization has its domains, unless one of them changed both before and after it', async () => {
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
    // The domain was added before, and the event of the new name has it.
    expect(later).toMatchObject({
      record: { name: 'Acme', domains: [{ domain: 'acme.example' }] },
      unknown: ['updated_at'],
    });
    const third = await call('POST', '/organization_domains', { organization_id: id, domain: 'third.example' });
    await advance(10);
    const between = await now();
    await advance(10);
    await call('DELETE', `/organization_domains/${String(third.body.id)}`);
    await advance(10);
    const unknown = await at(path, between);
    expect(unknown).toMatchObject({ record: { name: 'Renamed' }, unknown: ['updated_at', 'domains'] });
    expect(unknown.record).not.toHaveProperty('domains');
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
    const before = (await now()) - 50_000;
    await call('PUT', `${USERS}/${id}`, { first_name: 'Ada' });
    await advance(100);
    expect(await at(user(id), before)).toMatchObject({
      existed: true,
      record: { first_name: null, email: 'imported@acme.example' },
      unknown: ['last_sign_in_at', 'updated_at'],
    });
    expect(await at(user(id), before - 1_000_000)).toMatchObject({ existed: false, record: null, unknown: [] });
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
  const moment = '2026-01-15T12:00:00.000Z';
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-20T00:00:00.000Z'];
  const event = (name: string, data: Snapshot, previous: Snapshot = {}): RecordEvent => ({
    id: name,
    name,
    data,
    previous,
  });
  const user = (members: Snapshot = {}): Snapshot => ({ id: 'u', created_at: early, updated_at: early, ...members });

  test('undoes the first change after the moment if the events before it are gone', () => {
    const after = [event('user.updated', user({ first_name: 'Ada', locale: 'de' }), { first_name: null })];
    expect(computeState({ moment, before: [], after, current: undefined }, [])).toMatchObject({
      record: { id: 'u', first_name: null, locale: 'de' },
      unknown: ['updated_at'],
    });
  });

  test('is the deleted record if the deletion is the first event after the moment', () => {
    const after = [event('user.deleted', user({ locale: 'de' }))];
    expect(computeState({ moment, before: [], after, current: undefined }, ['x'])).toMatchObject({
      record: { id: 'u', locale: 'de' },
      unknown: ['x'],
    });
  });

  test('is none before the creation that the first event after the moment shows', () => {
    const after = [event('user.updated', user({ created_at: late }))];
    expect(computeState({ moment, before: [], after, current: undefined }, [])).toMatchObject({ record: undefined });
  });

  test('names the members that differ from the state after the moment, for which an event is missing', () => {
    const before = [event('user.created', user({ first_name: 'Ada', locale: 'de' }))];
    const current = user({ first_name: 'Grace', locale: 'de', updated_at: late });
    expect(computeState({ moment, before, after: [], current }, []).unknown).toEqual(['updated_at', 'first_name']);
    const after = [event('user.updated', user({ first_name: 'Grace', locale: 'fr' }), { locale: 'de' })];
    expect(computeState({ moment, before, after, current }, []).unknown).toEqual(['first_name']);
  });

  test('is the record of now if it has not changed since, and names all members of one that has changed without an event', () => {
    const current = user({ first_name: 'Ada' });
    expect(computeState({ moment, before: [], after: [], current }, [])).toMatchObject({
      record: current,
      unknown: [],
    });
    const changed = user({ first_name: 'Ada', updated_at: late });
    expect(computeState({ moment, before: [], after: [], current: changed }, []).unknown).toEqual([
      'updated_at',
      'first_name',
    ]);
  });
});
