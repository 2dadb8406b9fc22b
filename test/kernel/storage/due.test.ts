import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { newUlid } from '../../../functions/kernel/ids.ts';
import { collection } from '../../../functions/kernel/storage/collection.ts';
import { dueAttributes, dueIndex, dueOn, findDue } from '../../../functions/kernel/storage/due.ts';
import { entity } from '../../../functions/kernel/storage/entity.ts';
import { model, recordAttributes, recordKey } from '../../../functions/kernel/storage/record.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

const ChoreEntity = entity({
  model: model('chore'),
  attributes: { ...recordAttributes, ...dueAttributes },
  indexes: { primary: recordKey('chore'), due: dueIndex('chore') },
});
const chores = collection(ChoreEntity, 'internal');
const NOW = Date.parse('2026-03-04T05:06:07.008Z');

let table: TestTable;
beforeAll(async () => {
  table = await startMemoryTable();
});
afterAll(() => table.stop());
afterEach(() => void jest.restoreAllMocks());

test.each([
  ['a millisecond ago', -1, true],
  ['in this millisecond', 0, true],
  ['in the next millisecond', 1, false],
])('work that becomes due %s is found or not: %i ms, %s', async (_, milliseconds, isFound) => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW);
  const id = `chore_${newUlid()}`;
  const unit = new Unit('environment_1', systemActor);
  unit.stage(chores.create({ environmentId: 'environment_1', id, ...dueOn(id, NOW + milliseconds) }).write);
  expect(await unit.commit()).toEqual({ kind: 'committed' });
  const found = await findDue(chores.entity(), 25);
  expect(found.map((chore) => chore.id).includes(id)).toBe(isFound);
});
