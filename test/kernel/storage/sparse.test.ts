import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { findHolder, claim } from '../../../functions/kernel/storage/unique.ts';
import { removeOwned } from '../../../functions/kernel/storage/cascade.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

let table: TestTable;
beforeAll(async () => {
  table = await startMemoryTable();
});
afterAll(() => table.stop());

const value = (text: string) => ({ environmentId: 'environment_1', kind: 'organization.external_id', value: text });

describe('a record of an entity with a sparse index', () => {
  test('is stored without the attributes of the index, and is not in it', async () => {
    const { params } = claim(value('unowned'), 'org_1');
    expect(params.Item).not.toHaveProperty('owner');
    expect(params.Item).not.toHaveProperty('gsi4pk');
  });

  test('is erased with its owner, and one without an owner stays', async () => {
    const unit = new Unit('environment_1', systemActor);
    unit.stage([claim(value('owned'), 'org_1', 'organization#org_1'), claim(value('unowned'), 'org_1')]);
    expect(await unit.commit()).toEqual({ kind: 'committed' });
    expect(await removeOwned('environment_1', 'organization#org_1')).toBe(1);
    expect(await findHolder(value('owned'))).toBeUndefined();
    expect(await findHolder(value('unowned'))).toBe('org_1');
  });
});
