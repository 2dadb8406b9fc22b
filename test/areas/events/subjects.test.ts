import { beforeEach, describe, expect, test } from '@jest/globals';

import { indexSubjects } from '../../../functions/record/events/relay/index-subjects.ts';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';

import { settings } from '../../../functions/kernel/settings.ts';
import { tableClient } from '../../../functions/kernel/storage/client.ts';
import { readRows } from '../../kernel/notes/table.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, reset, sdk } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { newMembership, newUser } from '../user-management/users.ts';

interface Event {
  id: string;
  event: string;
  data: Record<string, unknown>;
  created_at: string;
}
interface Page {
  data: Event[];
  list_metadata: { before: string | null; after: string | null };
}

const PASSWORD = 'correct horse battery';

beforeEach(() => reset());

async function list(subject: string, more = ''): Promise<Page> {
  await idle();
  const { status, body } = await call<Page>('GET', `/x/events?subject=${encodeURIComponent(subject)}${more}`);
  expect([status, body]).toMatchObject([200, { object: 'list' }]);
  return body;
}
const names = async (subject: string, more = ''): Promise<string[]> =>
  (await list(subject, more)).data.map(({ event }) => event);

const signIn = (email: string, password: string) =>
  sdk().userManagement.authenticateWithPassword({ clientId: sdk().options.clientId ?? '', email, password });

describe('the events of a subject', () => {
  test('of a user are the sign-ins, changes, sessions and memberships, the newest first', async () => {
    const user = await newUser({ email: 'ada@acme.example', password: PASSWORD, email_verified: true });
    const organization = await newOrganization();
    await newMembership(user.id, organization);
    await call('PUT', `/user_management/users/${user.id}`, { first_name: 'Ada' });
    await expect(signIn(user.email, 'wrong')).rejects.toThrow();
    await signIn(user.email, PASSWORD);
    const other = await newUser();
    await call('DELETE', `/user_management/users/${user.id}`);
    const all = await names(user.id);
    expect(all.filter((name) => !/^(session|organization_membership)\./.test(name))).toEqual([
      'user.deleted',
      'authentication.password_succeeded',
      'authentication.password_failed',
      'user.updated',
      'user.created',
    ]);
    expect(all).toEqual(expect.arrayContaining(['organization_membership.created', 'organization_membership.deleted']));
    expect(all).toContain('session.created');
    expect(await names(other.id)).toEqual(['user.created']);
    expect(await names(user.id, '&order=asc&limit=1')).toEqual(['user.created']);
    expect(await names(user.id, '&events=user.updated,user.created')).toEqual(['user.updated', 'user.created']);
  });

  test('of an organization are its own, not those of its members, and none of the vault', async () => {
    const organization = await newOrganization();
    await newMembership((await newUser()).id, organization);
    await call('PUT', `/organizations/${organization}`, { name: 'Renamed' });
    await call('POST', '/vault/v1/kv', { name: 'db', value: 'x', key_context: { organization_id: organization } });
    expect(await names(organization)).toEqual(['organization.updated', 'organization.created']);
  });

  test('of an address are failed sign-ins without an account and its invitations, in any case', async () => {
    await expect(signIn('Nobody@acme.example', 'wrong')).rejects.toThrow();
    await call('POST', '/user_management/invitations', { email: 'nobody@acme.example' });
    expect(await names('NOBODY@acme.example')).toEqual(['invitation.created', 'authentication.password_failed']);
    expect(await names('somebody@acme.example')).toEqual([]);
    const rows = await readRows('event', await environment());
    const place = rows.find(({ name }) => name === 'invitation.created')?.subject;
    expect(place).toMatch(/^address#[0-9a-f]{64}$/);
  });

  test('can be read completely with cursors, in both orders, over all partitions', async () => {
    const id = await newOrganization();
    for (let at = 0; at < 24; at += 1) await call('PUT', `/organizations/${id}`, { name: `Acme ${at}` });
    const all = (await list(id, '&limit=100')).data.map((event) => event.id);
    expect(all).toHaveLength(25);
    for (const order of ['asc', 'desc']) {
      const seen: string[] = [];
      let after: string | null = '';
      while (after !== null) {
        const page: Page = await list(id, `&limit=7&order=${order}${after === '' ? '' : `&after=${after}`}`);
        seen.push(...page.data.map((event) => event.id));
        after = page.list_metadata.after;
      }
      expect(seen).toEqual(order === 'desc' ? all : all.toReversed());
    }
    const [, second] = (await list(id, '&order=asc&limit=2')).data;
    expect((await list(id, `&limit=100&range_start=${second?.created_at}`)).data.length).toBeGreaterThanOrEqual(24);
    expect((await list(id, `&range_end=${second?.created_at}`)).data).toHaveLength(1);
  });

  test('end with the retention of events', async () => {
    const id = await newOrganization();
    expect(await names(id)).toEqual(['organization.created']);
    await advance(91 * 86_400);
    expect(await names(id)).toEqual([]);
  });

  test('of an earlier release are added once by the command, also if it was stopped and repeated', async () => {
    const user = await newUser();
    const organization = await newOrganization();
    await idle();
    const environmentId = await environment();
    for (const row of await readRows('event', environmentId)) await leaveList(row);
    expect([await names(user.id), await names(organization)]).toEqual([[], []]);
    const run = (stopAfter: number) => {
      let pages = 0;
      return indexSubjects(environmentId, 0, Date.now() + 60_000, () => {
        pages += 1;
        if (pages === stopAfter) throw new Error('stopped');
      });
    };
    await expect(run(1)).rejects.toThrow('stopped');
    const { read } = await run(0);
    expect(read).toBeGreaterThan(1);
    expect(await run(0)).toMatchObject({ read, written: 0 });
    expect([await names(user.id), await names(organization)]).toEqual([['user.created'], ['organization.created']]);
  });

  test.each([
    ['no subject', ''],
    ['an id of another kind', 'subject=om_01JX0000000000000000000000'],
    ['a key of the table', 'subject=address%23abc'],
    ['an unknown name of an event', 'subject=org_01JX0000000000000000000000&events=organization.exploded'],
  ])('rejects %s', async (_, query) => {
    expect((await call('GET', `/x/events?${query}`)).status).toBe(422);
  });

  test('rejects an empty range', async () => {
    const time = '2026-01-15T12:00:00Z';
    const query = `subject=org_01JX0000000000000000000000&range_start=${time}&range_end=${time}`;
    expect(await call('GET', `/x/events?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_range' } });
  });
});

/** Makes a row one of an earlier release, which had no lists of subjects. */
async function leaveList({ pk, sk }: Record<string, unknown>): Promise<void> {
  await tableClient().send(
    new UpdateCommand({
      TableName: settings().GATEHOUSE_TABLE,
      Key: { pk, sk },
      UpdateExpression: 'REMOVE subject, gsi1pk, gsi1sk',
    }),
  );
}
