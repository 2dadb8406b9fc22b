import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { findHolder, claim } from '../../../functions/kernel/storage/unique.ts';
import { removeEnvironment, removeOwned } from '../../../functions/kernel/storage/cascade.ts';
import { stageErasure } from '../../../functions/kernel/storage/erasure.ts';
import { environmentOwners } from '../../../functions/kernel/storage/record.ts';
import { currentCodes } from '../../../functions/kernel/one-time-code/entity.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

let table: TestTable;
beforeAll(async () => {
  table = await startMemoryTable();
});
afterAll(() => table.stop());

const value = (text: string) => ({ environmentId: 'environment_1', kind: 'organization.external_id', value: text });

describe('a record of an entity with an index of owners', () => {
  test('belongs to the environment without another owner, in one of several partitions', () => {
    const owners = Array.from({ length: 200 }, (_, at) => claim(value(`text ${at}`), 'org_1').params.Item?.gsi4pk);
    const known = environmentOwners().map((owner) => `environment_1#${owner}`);
    expect(new Set(owners).size).toBe(24);
    expect(known).toEqual(expect.arrayContaining(owners));
  });

  test('is erased with its owner, and one of another owner remains', async () => {
    const unit = new Unit('environment_1', systemActor);
    unit.stage([claim(value('owned'), 'org_1', 'organization#org_1'), claim(value('unowned'), 'org_1')]);
    expect(await unit.commit()).toEqual({ kind: 'committed' });
    expect(await removeOwned('environment_1', 'organization#org_1')).toBe(1);
    expect(await findHolder(value('owned'))).toBeUndefined();
    expect(await findHolder(value('unowned'))).toBe('org_1');
  });

  test('is erased with its environment, and the rows of its organizations before it', async () => {
    const unit = new Unit('environment_2', systemActor);
    const there = (text: string) => ({ ...value(text), environmentId: 'environment_2' });
    unit.stage([claim(there('own'), 'org_2'), claim(there('of a deleted owner'), 'org_3', 'organization#org_3')]);
    stageErasure(unit, 'environment_2', 'organization#org_3');
    expect(await unit.commit()).toEqual({ kind: 'committed' });
    expect(await removeEnvironment('environment_2')).toBe(3);
  });

  test('has no row in the index without an owner, if it expires and its kind permits that', () => {
    const fields = { codeId: 'code', sealedCode: 'sealed', codeExpiresAt: '2026-01-01T00:00:00.000Z', expiresAt: 1 };
    const { params } = currentCodes.create({ environmentId: 'environment_1', id: 'id', ...fields }).write;
    expect(params.Item).not.toHaveProperty('gsi4pk');
  });
});
