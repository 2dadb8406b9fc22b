import { beforeEach, expect, test } from '@jest/globals';

import { tallies } from '../../../functions/access/feature-flags/target/entity.ts';
import { call, reset } from '../../support/service.ts';
import { commitRows } from '../../support/user-rows.ts';
import { environment } from '../../support/users.ts';
import { newFlag, newOrganization, onForOrganization, target } from './support.ts';

beforeEach(() => reset());

/** Sets the stored number of targets of a flag, or of the environment with the id `all`. */
async function setCount(id: string, count: number): Promise<void> {
  const environmentId = await environment();
  const tally = await tallies.get(environmentId, id);
  if (tally === undefined) throw new Error(`There is no tally ${id}`);
  await commitRows(environmentId, [tallies.revise(tally, { count }).write]);
}

test.each([
  ['10,000 targets of a flag', 'flag', 10_000],
  ['50,000 targets of an environment', 'all', 50_000],
])('an environment can have %s, and may add another after one is removed', async (_title, which, most) => {
  const [acme, other, third] = [await newOrganization(), await newOrganization(), await newOrganization()];
  const { id } = await newFlag('beta', { enabled: true });
  await target('beta', acme);
  await setCount(which === 'flag' ? id : which, most - 1);
  expect((await target('beta', other)).status).toBe(204);
  expect(await target('beta', third)).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining(String(most)) },
  });
  expect((await target('beta', acme)).status).toBe(204);
  expect(await onForOrganization(third)).toEqual([]);
  await target('beta', acme, 'DELETE');
  expect((await target('beta', third)).status).toBe(204);
});

test('the targets of a deleted flag no longer count', async () => {
  const acme = await newOrganization();
  await newFlag('beta');
  await newFlag('other');
  await target('beta', acme);
  await target('other', acme);
  await call('DELETE', '/x/feature-flags/beta');
  expect((await tallies.get(await environment(), 'all'))?.count).toBe(1);
});
