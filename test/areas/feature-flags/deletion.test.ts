import { beforeEach, expect, test } from '@jest/globals';

import { flagMembers, tallies, targets } from '../../../functions/access/feature-flags/target/entity.ts';
import { addFault, call, eventually, idle, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { flagEvents, newFlag, addNewMember, newOrganization, target } from './support.ts';

beforeEach(() => reset());

test.each(['user', 'organization'])(
  'a deleted %s is removed from the targets of all flags, even if these are too many for one transaction',
  async (kind) => {
    const id = kind === 'user' ? await addNewMember() : await newOrganization();
    const kept = await newOrganization('Kept');
    const flags = [];
    for (let at = 0; at < 27; at += 1) flags.push(await newFlag(`flag-${at}`, { enabled: true }));
    for (const { slug } of flags) await target(slug, id);
    await target('flag-0', kept);
    await call('DELETE', '/x/feature-flags/flag-26');
    const path = kind === 'user' ? '/user_management/users' : '/organizations';
    expect((await call('DELETE', `${path}/${id}`)).status).toBeLessThan(300);
    await idle();
    const environmentId = await environment();
    expect(await targets.get(environmentId, id)).toBeUndefined();
    for (const flag of flags) {
      expect(await flagMembers.get(environmentId, id, { flagId: flag.id })).toBeUndefined();
    }
    expect((await tallies.get(environmentId, 'all'))?.count).toBe(1);
    const { body } = await call<Record<string, { targets: object }>>('GET', '/sdk/feature-flags');
    const none = { users: [], organizations: [] };
    expect(body['flag-0']?.targets).toEqual({ ...none, organizations: [{ id: kept, enabled: true }] });
    expect(body['flag-25']?.targets).toEqual(none);
    const removals = (await flagEvents()).filter(({ event }) => event === 'flag.rule_updated');
    // 28 targets were added, of which the 26 of existing flags were removed; a page has 100 events.
    expect(removals).toHaveLength(28 + 26);
  },
);

test.each(['user', 'organization'])(
  'a %s that is deleted while it is added as a target is not a target afterwards',
  async (kind) => {
    await reset({ calm: true });
    const id = kind === 'user' ? await addNewMember() : await newOrganization();
    const { id: flagId } = await newFlag('raced', { enabled: true });
    // The commit that adds the target waits until the other record and its rows are deleted.
    await addFault({ target: 'table', kind: 'delay', operations: ['TransactWriteItems'], count: 1, delay_ms: 1_500 });
    const added = call('POST', `/feature-flags/raced/targets/${id}`);
    await eventually(
      () => call<{ data: { met: number }[] }>('GET', '/_local/faults'),
      ({ body }) => body.data.every(({ met }) => met === 1),
    );
    const path = kind === 'user' ? '/user_management/users' : '/organizations';
    expect((await call('DELETE', `${path}/${id}`)).status).toBeLessThan(300);
    expect((await added).status).toBe(404);
    await idle();
    const environmentId = await environment();
    expect(await targets.get(environmentId, id)).toBeUndefined();
    expect(await flagMembers.get(environmentId, id, { flagId })).toBeUndefined();
  },
);
