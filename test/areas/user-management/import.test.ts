import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import {
  type FileImport,
  importFile,
  type Progress,
  progressFile,
  rejectedLinesFile,
} from '../../../bin/import-file.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { settings } from '../../../functions/kernel/settings.ts';
import { checkPassword } from '../../../functions/proofs/modules/credentials/public.ts';
import { getUserByEmail } from '../../../functions/tenancy/modules/users/public.ts';
import { eraseUser } from '../../../functions/tenancy/modules/memberships/organization-membership/erasure.ts';
import { authenticator, base64url } from '../../support/authenticator.ts';
import { advance, call, idle, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { readEvents, MEMBERSHIPS, newOrganization, USERS } from './users.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'));
  file = join(folder, 'users.jsonl');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  await reset();
  rmSync(progressFile(file), { force: true });
});

const write = (lines: readonly (object | string)[]): void =>
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
const run = async (given: Partial<FileImport> = {}): Promise<Progress> =>
  importFile({ file, environmentId: await environment(), isSilent: true, ...given });
const counted = ({ made, there, rejected }: Progress) => ({ made, there, rejected });
const rejectedLines = (): { line: number; reason: string }[] =>
  readFileSync(rejectedLinesFile(file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { line: number; reason: string });

const times = { created_at: '2021-03-04T05:06:07.008Z', updated_at: '2022-03-04T05:06:07.008Z' };
const userLines = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ object: 'user', id: newId('user'), email: `person-${at}@example.com` }));

/** Waits for the second sweep of deleted owners. */
async function sweptOnceMore(): Promise<void> {
  await idle();
  await advance(11 * 60);
  await idle();
}

describe('an import', () => {
  test('adds passkeys after their users, once, and names what is wrong in the others', async () => {
    const own = authenticator('http://localhost');
    const line = {
      object: 'passkey',
      user_email: 'person-0@example.com',
      credential_id: own.credentialId,
      public_key: own.publicKey,
      user_handle: base64url('a handle'),
      rp_id: 'localhost',
      name: 'Laptop',
      sign_count: 7,
    };
    const [first, second] = userLines(2);
    write([first ?? '', second ?? '', line, { ...line, user_email: undefined, user_id: first?.id }]);
    expect(counted(await run())).toEqual({ made: 3, there: 1, rejected: 0 });
    const { body } = await call<{ data: object[] }>('GET', `/x/passkeys?user_id=${first?.id ?? ''}`);
    expect(body.data).toMatchObject([{ name: 'Laptop', sign_count: 7, rp_id: 'localhost', usable: true }]);
    const other = authenticator('http://localhost');
    const fresh = { ...line, credential_id: other.credentialId, public_key: other.publicKey };
    write([
      { ...line, user_email: 'person-1@example.com' },
      { ...fresh, user_email: 'nobody@example.com' },
      { ...fresh, public_key: base64url('no key') },
      { ...fresh, user_email: undefined },
      { ...fresh, rp_id: undefined },
    ]);
    expect(counted(await run({ fromStart: true }))).toEqual({ made: 0, there: 0, rejected: 5 });
    expect(rejectedLines().map(({ reason }) => reason.split(':')[0])).toEqual([
      'credential_id',
      'user_id',
      'public_key',
      'user_id',
      'rp_id',
    ]);
  });

  test('keeps ids, times, hashes and memberships', async () => {
    await call('POST', '/authorization/roles', { slug: 'editor', name: 'Editor' });
    const [organization, user] = [newId('org'), newId('user')];
    const membership = { id: newId('om'), ...times, organization_external_id: 'acme', role_slug: 'editor' };
    // The hash of the password "U*U", from the test vectors of crypt_blowfish.
    const password_hash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
    write([
      { object: 'organization', id: organization, name: 'Acme', external_id: 'acme', ...times },
      {
        object: 'user',
        id: user,
        email: 'Ada@example.com',
        email_verified: true,
        first_name: 'Ada',
        external_id: 'a-1',
        metadata: { tier: 'gold' },
        locale: 'en-gb',
        last_sign_in_at: '2023-01-01T00:00:00Z',
        ...times,
        password_hash,
        password_hash_type: 'bcrypt',
        memberships: [membership],
      },
    ]);
    expect(counted(await run())).toEqual({ made: 2, there: 0, rejected: 0 });
    expect((await call('GET', `/organizations/${organization}`)).body).toMatchObject({ name: 'Acme', ...times });
    expect((await call('GET', `${USERS}/external_id/a-1`)).body).toMatchObject({
      id: user,
      email: 'ada@example.com',
      email_verified: true,
      metadata: { tier: 'gold' },
      locale: 'en-GB',
      last_sign_in_at: '2023-01-01T00:00:00.000Z',
      ...times,
    });
    expect((await call('GET', `${MEMBERSHIPS}/${membership.id}`)).body).toMatchObject({
      user_id: user,
      organization_id: organization,
      status: 'active',
      role: { slug: 'editor' },
      ...times,
    });
    const record = await getUserByEmail(await environment(), 'ada@example.com');
    expect(await checkPassword(await environment(), record, 'U*U')).toMatchObject({ ok: true });
    expect(await checkPassword(await environment(), record, 'U*V')).toMatchObject({ ok: false });
  });

  test('emits no events by default', async () => {
    const [users, organization] = [userLines(3), newId('org')];
    write([
      ...users,
      { object: 'organization', id: organization, name: 'Acme' },
      { object: 'organization_membership', user_id: users[0]?.id, organization_id: organization },
    ]);
    const names = ['user.created', 'organization.created', 'organization_membership.created'];
    await run();
    expect(await readEvents(...names)).toEqual([]);
    await reset();
    await run({ isSilent: false });
    expect(await readEvents(...names)).toHaveLength(5);
  });

  test('creates nothing twice, and adds missing records', async () => {
    const lines = userLines(40);
    write(lines);
    expect(counted(await run())).toEqual({ made: 40, there: 0, rejected: 0 });
    const organization_id = await newOrganization();
    write(lines.map((line, at) => (at === 7 ? { ...line, memberships: [{ organization_id }] } : line)));
    expect(counted(await run())).toEqual({ made: 1, there: 39, rejected: 0 });
    await idle();
    const { body } = await call<{ data: object[] }>('GET', `${USERS}?limit=100`);
    expect(body.data).toHaveLength(40);
    expect((await call('GET', `${MEMBERSHIPS}?organization_id=${organization_id}`)).body).toMatchObject({
      data: [{ user_id: lines[7]?.id }],
    });
  });

  test('continues after an interrupted run', async () => {
    const lines = userLines(9);
    write(lines);
    const text = readFileSync(file);
    const bytes = text.indexOf('"person-5@') - Buffer.byteLength(`{"object":"user","id":"${lines[5]?.id}","email":`);
    const cutShort = (target: string, size = text.length): void =>
      writeFileSync(progressFile(file), JSON.stringify({ bytes, lines: 5, size, target }));
    const here = `${settings().GATEHOUSE_TABLE} ${await environment()}`;
    cutShort(here);
    const resumed: number[] = [];
    expect(await run({ onResume: (done) => resumed.push(done) })).toMatchObject({
      made: 4,
      lines: 9,
      bytes: text.length,
    });
    expect(resumed).toEqual([5]);
    // The stored progress belongs to a file of another size or path, so it is not used.
    cutShort(here, text.length + 1);
    expect(await run()).toMatchObject({ made: 5, there: 4 });
    await reset();
    cutShort(`${settings().GATEHOUSE_TABLE} environment_01J00000000000000000000000`);
    expect(await run()).toMatchObject({ made: 9, there: 0 });
  });

  test('reports lines that were rejected before an interruption only once', async () => {
    const lines: (object | string)[] = userLines(6);
    [lines[1], lines[4]] = ['{"email":"nobody"}', '{"email":"nowhere"}'];
    write(lines);
    const text = readFileSync(file, 'utf8');
    const bytes = text.split('\n').slice(0, 3).join('\n').length + 1;
    const target = `${settings().GATEHOUSE_TABLE} ${await environment()}`;
    writeFileSync(progressFile(file), JSON.stringify({ bytes, lines: 3, size: text.length, target }));
    // The run had also stored line 5 before it was interrupted within a write, but not its position.
    writeFileSync(rejectedLinesFile(file), '{"line":2,"reason":"no"}\n{"line":5,"reason":"no"}\n{"line":6,"rea');
    expect(await run()).toMatchObject({ made: 2, there: 0, rejected: 1, rejectedBefore: 1 });
    expect(rejectedLines().map(({ line }) => line)).toEqual([2, 5]);
    expect(await run({ fromStart: true })).toMatchObject({ rejected: 2, rejectedBefore: 0 });
    expect(rejectedLines().map(({ line }) => line)).toEqual([2, 5]);
  });

  test('reports rejected lines by number and imports the others', async () => {
    const [first, second, third] = userLines(3);
    const hash = { password_hash: 'nonsense', password_hash_type: 'bcrypt' };
    write([
      { ...first },
      'not JSON {"password":"secret"}',
      '',
      { ...second, email: 'PERSON-0@example.com' },
      { ...second, email: 'no address' },
      { ...second, ...hash },
      { ...second, id: 'user_1' },
      { ...second, memberships: [{ organization_id: 'org_missing' }] },
      { ...second, memberships: [{ organization_id: await newOrganization(), role_slug: 'unknown' }] },
      { ...second, created_at: 'yesterday' },
      { object: 'organization_membership', user_id: 'user_missing', organization_id: await newOrganization() },
      { object: 'webhook' },
      third ?? {},
    ]);
    expect(counted(await run())).toEqual({ made: 2, there: 0, rejected: 10 });
    const reasons = rejectedLines();
    expect(reasons.map(({ line }) => line)).toEqual([2, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(reasons.map(({ reason }) => reason).join('\n')).toMatchInlineSnapshot(`
     "is not valid JSON.
     email: another user has this address
     email: is no address that mail can be sent to
     The password_hash cannot be read as a hash of its password_hash_type, or asks for too much memory or time. password_hash: it is not of the form $2b$12$ and 53 characters
     id: is no id such as user_01JX…
     organization: there is no org_missing; import it before its members
     role_slug: unknown is no role of the organization; create the role first, with POST /authorization/roles
     created_at: must be an ISO 8601 timestamp with a zone, such as 2026-01-15T12:00:00.000Z
     user_id: there is no user user_missing
     object: Invalid discriminator value. Expected 'user' | 'organization_membership' | 'organization'"
    `);
  });

  test('accepts only UTF-8, with or without a byte order mark, and only values that the API accepts', async () => {
    const lines = [
      Buffer.from('\ufeff{"email":"zoe@example.com","first_name":"Zoë"}'),
      Buffer.from('{"email":"loic@example.com","first_name":"Loïc"}', 'latin1'),
      Buffer.from('{"email":"half@example.com","first_name":"\\ud83d"}'),
      Buffer.from('{"email":"a@example.com","email":"b@example.com"}'),
    ];
    writeFileSync(file, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\r\n')])));
    expect(counted(await run())).toEqual({ made: 1, there: 0, rejected: 3 });
    expect(rejectedLines()).toEqual([
      { line: 2, reason: 'is not valid UTF-8.' },
      { line: 3, reason: 'has half of a surrogate pair, which is no character.' },
      { line: 4, reason: 'names the member email twice.' },
    ]);
    expect((await call('GET', `${USERS}?email=zoe@example.com`)).body).toMatchObject({ data: [{ first_name: 'Zoë' }] });
  });

  test('accepts null for missing values', async () => {
    const members = ['id', 'password', 'password_hash', 'password_hash_type', 'created_at', 'locale', 'memberships'];
    const user = { email: 'ada@example.com', ...Object.fromEntries(members.map((name) => [name, null])) };
    write([user, { object: 'organization', name: 'Acme', external_id: null, domains: null }]);
    expect(counted(await run())).toEqual({ made: 2, there: 0, rejected: 0 });
  });

  test('does not reuse an id until the data of the deleted user with that id is erased', async () => {
    const [organization, id] = [newId('org'), newId('user')];
    const hash = { password_hash: '{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr', password_hash_type: 'ssha' };
    const user = { id, email: 'ada@example.com', ...hash, memberships: [{ organization_id: organization }] };
    write([{ object: 'organization', id: organization, name: 'Acme' }, user]);
    expect(counted(await run())).toEqual({ made: 2, there: 0, rejected: 0 });
    await idle();
    await call('DELETE', `${USERS}/${id}`);
    await call('DELETE', `/organizations/${organization}`);
    expect(counted(await run())).toEqual({ made: 0, there: 0, rejected: 2 });
    await idle();
    expect(counted(await run())).toEqual({ made: 0, there: 0, rejected: 2 });
    expect(rejectedLines()[1]?.reason).toContain(`${id} was deleted`);
    await sweptOnceMore();
    expect(counted(await run())).toEqual({ made: 2, there: 0, rejected: 0 });
    await eraseUser(await environment(), id);
    await sweptOnceMore();
    const record = await getUserByEmail(await environment(), 'ada@example.com');
    expect(await checkPassword(await environment(), record, 'testing123')).toMatchObject({ ok: true });
    expect((await call('GET', `${MEMBERSHIPS}?user_id=${id}`)).body).toMatchObject({ data: [{ status: 'active' }] });
  });

  test('also rejects the id of a deleted user within a batch', async () => {
    const lines = userLines(3);
    write(lines.slice(0, 1));
    await run();
    await idle();
    await call('DELETE', `${USERS}/${lines[0]?.id}`);
    write(lines);
    expect(counted(await run())).toEqual({ made: 2, there: 0, rejected: 1 });
  });

  test('rejects the id of another membership', async () => {
    const [id, user] = [newId('om'), { ...userLines(1)[0] }];
    const [one, two] = [await newOrganization(), await newOrganization()];
    write([{ ...user, memberships: [{ id, organization_id: one }] }]);
    expect(counted(await run())).toEqual({ made: 1, there: 0, rejected: 0 });
    write([{ object: 'organization_membership', id, user_id: user.id, organization_id: two }]);
    expect(counted(await run())).toEqual({ made: 0, there: 0, rejected: 1 });
  });

  test('accepts memberships on separate lines, and users with more than fit into a transaction', async () => {
    const organizations = Array.from({ length: 35 }, (_, at) => ({
      object: 'organization',
      name: `Organization ${at}`,
      external_id: `o-${at}`,
    }));
    const [user, other] = userLines(2);
    const memberships = organizations.map(({ external_id }) => ({ organization_external_id: external_id }));
    write([
      ...organizations,
      { ...user, memberships },
      { ...other },
      { object: 'organization_membership', user_id: other?.id, organization_external_id: 'o-3', status: 'pending' },
    ]);
    expect(counted(await run())).toEqual({ made: 38, there: 0, rejected: 0 });
    expect(counted(await run())).toEqual({ made: 0, there: 38, rejected: 0 });
    const list = await call<{ data: object[] }>('GET', `${MEMBERSHIPS}?user_id=${user?.id}&limit=100`);
    expect(list.body.data).toHaveLength(35);
    expect((await call('GET', `${MEMBERSHIPS}?user_id=${other?.id}&statuses=pending`)).body).toMatchObject({
      data: [{ status: 'pending' }],
    });
  });
});
