import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { claim, holderOf, release } from '../../../functions/kernel/storage/unique.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { type UserRecord, users } from '../../../functions/user-management/user/entity.ts';
import { startTable, type TestTable } from '../../support/table.ts';

let table: TestTable;
beforeAll(async () => {
  table = await startTable();
});
afterAll(() => table.stop());

const environmentId = 'environment_1';
const newUnit = () => new Unit(environmentId, systemActor);
const newUser = (id: string) =>
  users.create({ environmentId, id, email: 'ada@example.com', emailVerified: false, metadata: {} });

async function stored(id: string): Promise<UserRecord> {
  const unit = newUnit();
  const { record, write } = newUser(id);
  unit.stage(write);
  await unit.commit();
  return record;
}

describe('several steps of one unit on one row', () => {
  test('become the last step’s state', async () => {
    const unit = newUnit();
    const made = newUser('user_1');
    unit.stage(made.write);
    unit.stage(users.revise(made.record, { emailVerified: true }).write);
    expect(await unit.commit()).toEqual({ kind: 'committed' });
    expect(await users.get(environmentId, 'user_1')).toMatchObject({ emailVerified: true, version: 2 });
  });

  test('hold the first step’s condition: a change by somebody else is a conflict', async () => {
    const former = await stored('user_2');
    const unit = newUnit();
    const first = users.revise(former, { emailVerified: true });
    unit.stage(first.write);
    unit.stage(users.revise(first.record, { firstName: 'Ada' }).write);
    const rival = newUnit();
    rival.stage(users.revise(former, { lastName: 'Lovelace' }).write);
    await rival.commit();
    expect(await unit.commit()).toEqual({ kind: 'conflict' });
  });

  test('may end in the row’s removal, and a value may go from one record to another', async () => {
    const former = await stored('user_3');
    const value = { environmentId, kind: 'user.email', value: 'ada@example.com' };
    const before = newUnit();
    before.stage([claim(value, 'user_3')]);
    await before.commit();
    const unit = newUnit();
    const first = users.revise(former, { emailVerified: true });
    unit.stage([first.write, users.remove(first.record), release(value, 'user_3'), claim(value, 'user_4')]);
    expect(await unit.commit()).toEqual({ kind: 'committed' });
    expect(await users.get(environmentId, 'user_3')).toBeUndefined();
    expect(await holderOf(value)).toBe('user_4');
  });

  test('refuse a removal of what the unit itself makes', () => {
    const unit = newUnit();
    const made = newUser('user_5');
    unit.stage(made.write);
    expect(() => unit.stage(users.remove(made.record))).toThrow('cannot follow');
  });
});
