import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  DescribeKeyCommand,
  DisableKeyCommand,
  EnableKeyCommand,
  GenerateDataKeyCommand,
  RotateKeyOnDemandCommand,
} from '@aws-sdk/client-kms';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { kmsClient } from '../../../functions/kernel/keys/shared.ts';
import { settings } from '../../../functions/kernel/settings.ts';
import { removeOwned } from '../../../functions/kernel/storage/cascade.ts';
import { ownerKey } from '../../../functions/kernel/storage/record.ts';
import { shredEnvironment } from '../../../functions/connections/vault/shredding/environment.ts';
import { shred, signReceipts } from '../../../functions/connections/vault/shredding/work.ts';
import { allRows, type Inside, newKmsKey, openInside, put, type Row } from './inside.ts';

let inside: Inside;
let made = 0;

beforeAll(async () => {
  inside = await openInside();
});
afterEach(() => clock.reset());
afterAll(() => inside.stop());

interface Stored {
  id: string;
  environment_id: string;
}

const store = async (value: string, key_context: object) => {
  made += 1;
  return inside.call<Stored>('POST', '/vault/v1/kv', { name: `object ${made}`, value, key_context });
};
const read = (id: string) =>
  inside.call<{ name?: string; value?: string; error?: string }>('GET', `/vault/v1/kv/${id}`);
const organization = async (): Promise<string> =>
  (await inside.call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body.id;
const dataKey = async (context: object): Promise<string> =>
  (await inside.call<{ encrypted_keys: string }>('POST', '/vault/v1/keys/data-key', { context })).body.encrypted_keys;
const decrypt = (keys: string) => inside.call('POST', '/vault/v1/keys/decrypt', { keys });
const map = (name: string, value: string, key_arn: string) =>
  inside.call<{ id: string }>('PUT', '/x/vault/customer_keys', { context_entry: { name, value }, key_arn });
const computeState = async (KeyId: string): Promise<string | undefined> =>
  (await kmsClient().send(new DescribeKeyCommand({ KeyId }))).KeyMetadata?.KeyState;

test('a rotation of the stage’s KMS key does not affect existing ciphertexts', async () => {
  const stored = await store('before', { team: 'blue' });
  const keys = await dataKey({ team: 'blue' });
  await kmsClient().send(new RotateKeyOnDemandCommand({ KeyId: settings().GATEHOUSE_KMS_KEY }));
  clock.advance(61_000);
  expect((await read(stored.body.id)).body.value).toBe('before');
  expect((await decrypt(keys)).status).toBe(200);
  const moved = await inside.call<{ encrypted_keys: string }>('POST', '/vault/v1/keys/rekey', {
    encrypted_keys: keys,
    context: { team: 'red' },
  });
  expect((await decrypt(moved.body.encrypted_keys)).status).toBe(200);
});

describe('a customer-held key', () => {
  test('makes only its own values unreadable within 60 seconds after its holder revokes access', async () => {
    const arn = await newKmsKey();
    expect((await map('tenant', 'acme', arn)).status).toBe(200);
    const context = { tenant: 'acme', team: 'blue' };
    const [own, other] = [await store('theirs', context), await store('ours', { tenant: 'other' })];
    const keys = await dataKey(context);
    const { name = '', value } = (await read(own.body.id)).body;
    expect(value).toBe('theirs');
    await kmsClient().send(new DisableKeyCommand({ KeyId: arn }));
    clock.advance(60_000);
    expect(await read(own.body.id)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('customer-held') },
    });
    expect(await inside.call('GET', `/vault/v1/kv/name/${name}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('customer-held') },
    });
    expect(await decrypt(keys)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('customer-held') },
    });
    expect((await inside.call('PUT', `/vault/v1/kv/${own.body.id}`, { value: 'x' })).status).toBe(400);
    expect((await store('more', context)).status).toBe(422);
    expect((await inside.call('GET', `/vault/v1/kv/${own.body.id}/metadata`)).status).toBe(200);
    expect((await read(other.body.id)).body.value).toBe('ours');
    await kmsClient().send(new EnableKeyCommand({ KeyId: arn }));
    expect((await read(own.body.id)).body.value).toBe('theirs');
  });

  test('encrypts values from the time of its mapping on, which remain encrypted with it after the mapping ends', async () => {
    const context = { tenant: 'later' };
    const before = await store('before', context);
    const arn = await newKmsKey();
    const { body: mapping } = await map('tenant', 'later', arn);
    const after = await store('after', context);
    expect(after.body).not.toMatchObject({ key_id: (before.body as unknown as { key_id: string }).key_id });
    expect((await inside.call('DELETE', `/x/vault/customer_keys/${mapping.id}`)).status).toBe(204);
    await kmsClient().send(new DisableKeyCommand({ KeyId: arn }));
    clock.advance(61_000);
    expect((await read(before.body.id)).body.value).toBe('before');
    expect((await read(after.body.id)).status).toBe(400);
  });

  test('can be selected by a rekey, which is rejected if two keys match', async () => {
    const [one, two] = [await newKmsKey(), await newKmsKey()];
    await map('tenant', 'one', one);
    await map('region', 'two', two);
    const keys = await dataKey({ tenant: 'none' });
    const move = (context: object) =>
      inside.call<{ encrypted_keys: string }>('POST', '/vault/v1/keys/rekey', { encrypted_keys: keys, context });
    const moved = await move({ tenant: 'one' });
    expect((await decrypt(moved.body.encrypted_keys)).status).toBe(200);
    await kmsClient().send(new DisableKeyCommand({ KeyId: one }));
    expect((await decrypt(moved.body.encrypted_keys)).status).toBe(400);
    expect((await move({ tenant: 'one', region: 'two' })).status).toBe(422);
    expect((await store('x', { tenant: 'one', region: 'two' })).status).toBe(422);
    const stored = await store('x', { tenant: 'three', region: 'two' });
    await map('tenant', 'three', one).then(({ status }) => expect(status).toBe(400));
    await kmsClient().send(new EnableKeyCommand({ KeyId: one }));
    await map('tenant', 'three', one);
    expect((await inside.call('PUT', `/vault/v1/kv/${stored.body.id}`, { value: 'y' })).status).toBe(400);
  });
});

describe('the key of an organization', () => {
  test('is destroyed with it: at once, and also for a table that is restored from a backup', async () => {
    const id = await organization();
    const context = { organization_id: id, team: 'blue' };
    const [stored, keys] = [await store('theirs', context), await dataKey(context)];
    const untouched = await store('others', { organization_id: await organization() });
    const main = (await allRows()).filter(({ environmentId }) => environmentId === stored.body.environment_id);

    expect((await inside.call('DELETE', `/organizations/${id}`)).status).toBe(202);
    expect(await read(stored.body.id)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('destroyed') },
    });
    expect((await decrypt(keys)).status).toBe(400);
    expect((await inside.call('PUT', `/vault/v1/kv/${stored.body.id}`, { value: 'x' })).status).toBe(400);
    expect((await store('again', context)).status).toBe(422);
    expect((await inside.call('POST', '/vault/v1/keys/data-key', { context })).status).toBe(422);

    await removeOwned(stored.body.environment_id, ownerKey('organization', id));
    expect((await read(stored.body.id)).status).toBe(404);

    await put(...main);
    expect((await inside.call('GET', `/organizations/${id}`)).status).toBe(200);
    for (const wait of [0, 61_000]) {
      clock.advance(wait);
      expect((await read(stored.body.id)).status).toBe(400);
      expect((await decrypt(keys)).status).toBe(400);
    }
    expect((await read(untouched.body.id)).body.value).toBe('others');
  });

  test('leaves a signed receipt, which can be verified offline, once all caches have expired', async () => {
    const id = await organization();
    const { body } = await store('theirs', { organization_id: id });
    await inside.call('DELETE', `/organizations/${id}`);
    for (let run = 0; run < 2; run += 1) await shred(body.environment_id, id, systemActor);
    const receipt = () => inside.call<Record<string, string>>('GET', `/x/vault/key_destructions/${id}`);
    clock.advance(119_000);
    await signReceipts();
    expect((await receipt()).body).toMatchObject({ state: 'pending', signature: null });
    clock.advance(2_000);
    await signReceipts();
    const { body: signed } = await receipt();
    expect(signed.state).toBe('signed');
    expect(JSON.parse(signed.statement ?? '')).toMatchObject({
      organization_id: id,
      destroyed_at: signed.destroyed_at,
    });

    const { body: key } = await inside.call<{ fingerprint: string }>('GET', '/x/vault/signing_key');
    expect(verified(signed, key.fingerprint)).toContain('The signature is valid');
    expect(() => verified(signed, 'ab'.repeat(32))).toThrow('signed by another key');
    const altered = signed.statement?.replace(id, 'org_other') ?? '';
    expect(() => verified({ ...signed, statement: altered })).toThrow('was altered');
    expect(() => verified({ ...signed, organization_id: 'org_other' })).toThrow('not the signed one');
  });

  test('leaves no receipt if there was no key', async () => {
    const id = await organization();
    const { body } = await store('of nobody', {});
    await inside.call('DELETE', `/organizations/${id}`);
    await shred(body.environment_id, id, systemActor);
    expect((await inside.call('GET', `/x/vault/key_destructions/${id}`)).status).toBe(404);
  });

  test('is a separate KMS key if the environment requires it, and its deletion schedules the deletion of that key', async () => {
    await inside.call('PUT', '/x/vault/settings', { organization_keys: 'dedicated' });
    const id = await organization();
    const { body } = await store('theirs', { organization_id: id });
    await inside.call('PUT', '/x/vault/settings', { organization_keys: 'shared' });
    clock.advance(61_000);
    expect((await read(body.id)).body.value).toBe('theirs');
    const row = (await allRows()).find(({ pk }) => pk.endsWith(`#organization-key#${id}`)) as Row;
    const keyId = String(row.kmsKeyId);
    expect(await computeState(keyId)).toBe('Enabled');
    await inside.call('DELETE', `/organizations/${id}`);
    for (let run = 0; run < 2; run += 1) await shred(body.environment_id, id, systemActor);
    expect(await computeState(keyId)).toBe('PendingDeletion');
    clock.advance(121_000);
    await signReceipts();
    const { body: receipt } = await inside.call<{ statement: string }>('GET', `/x/vault/key_destructions/${id}`);
    expect(JSON.parse(receipt.statement)).toMatchObject({ kms_key: { id: keyId, state: 'pending_deletion' } });
  });
});

test('no row of an organization with a KMS key of its own names a region, so that the rows can be used in another one', async () => {
  await inside.call('PUT', '/x/vault/settings', { organization_keys: 'dedicated' });
  const id = await organization();
  const { body } = await store('theirs', { organization_id: id });
  await inside.call('PUT', '/x/vault/settings', { organization_keys: 'shared' });
  const own = (await allRows()).filter((row) => JSON.stringify(row).includes(id) || row.id === body.id);
  expect(own.map(({ pk }) => pk.split('#')[1])).toEqual(
    expect.arrayContaining(['organization-key', 'vault-object', 'vault-key']),
  );
  const texts = own.map((row) => JSON.stringify(row, (_, value: unknown) => readText(value)));
  expect(texts.filter((text) => text.includes('us-east-1') || text.includes('arn:'))).toEqual([]);
  expect(texts.filter((text) => /mrk-[0-9a-f]{32}/.test(text)).length).toBeGreaterThan(2);
});

/** The text in a binary or Base64 value, in which a wrapped data key names its KMS key. */
const readText = (value: unknown): unknown =>
  value instanceof Uint8Array || (typeof value === 'string' && /^[\w+/=-]{40,}$/.test(value))
    ? Buffer.from(value as never, 'base64').toString('latin1')
    : value;

describe('a new KMS key of an organization whose tags', () => {
  test('KMS does not apply yet is reported as unavailable for five minutes, and as rejected afterwards', async () => {
    await inside.call('PUT', '/x/vault/settings', { organization_keys: 'dedicated' });
    const id = await organization();
    const client = kmsClient();
    const send = client.send.bind(client) as (command: unknown) => Promise<unknown>;
    const denied = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException', $metadata: {} });
    const deny = async (command: unknown): Promise<unknown> => {
      const isOfOrganization =
        command instanceof GenerateDataKeyCommand && command.input.KeyId !== settings().GATEHOUSE_KMS_KEY;
      if (isOfOrganization) throw denied;
      return send(command);
    };
    const spy = jest.spyOn(client, 'send').mockImplementation(deny as never);
    expect(await store('early', { organization_id: id })).toMatchObject({ status: 503 });
    clock.advance(5 * 60_000);
    expect(await store('denied', { organization_id: id })).toMatchObject({ status: 422 });
    spy.mockRestore();
    const { body } = await store('late', { organization_id: id });
    expect((await read(body.id)).body.value).toBe('late');
    await inside.call('PUT', '/x/vault/settings', { organization_keys: 'shared' });
  });
});

describe('the keys of an environment', () => {
  test('are destroyed with it, also those of organizations without a record, and their values become unreadable', async () => {
    const { here, there } = inside.target.keys;
    const create = (key_context: object, key: string) =>
      inside.call<Stored>(
        'POST',
        '/vault/v1/kv',
        { name: `of an end ${(made += 1)}`, value: 'theirs', key_context },
        key,
      );
    const known = (await inside.call<{ id: string }>('POST', '/organizations', { name: 'Acme' }, there)).body.id;
    await inside.call('PUT', '/x/vault/settings', { organization_keys: 'dedicated' }, there);
    const stored = [
      await create({ organization_id: known }, there),
      await create({ organization_id: 'named elsewhere' }, there),
    ];
    const kept = await create({ organization_id: 'named elsewhere' }, here);
    const environmentId = stored[0]?.body.environment_id ?? '';
    const main = (await allRows()).filter((row) => row.environmentId === environmentId);
    const keyIds = (await allRows()).flatMap(({ pk, kmsKeyId }) =>
      pk.startsWith(`${environmentId}#organization-key#`) && typeof kmsKeyId === 'string' ? [kmsKeyId] : [],
    );
    // A text that does not name an organization of the environment gets no KMS key of its own, which would cost money every
    // month.
    expect(keyIds).toHaveLength(1);

    expect(await shredEnvironment(environmentId)).toMatchObject({ keys: 2, rows: expect.any(Number) });
    for (const keyId of keyIds) expect(await computeState(keyId)).toBe('PendingDeletion');
    const gone = await Promise.all(
      stored.map(({ body }) => inside.call('GET', `/vault/v1/kv/${body.id}`, undefined, there)),
    );
    expect(gone.map(({ status }) => status)).toEqual([404, 404]);
    expect(await shredEnvironment(environmentId)).toEqual({ keys: 0, rows: 0 });

    // A backup of the table restores the rows, but reveals nothing.
    await put(...main);
    for (const { body } of stored) {
      expect(await inside.call('GET', `/vault/v1/kv/${body.id}`, undefined, there)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('destroyed') },
      });
    }
    expect((await read(kept.body.id)).body.value).toBe('theirs');
  });
});

/**
 * The output of the command that verifies a receipt.
 * @throws Error with its output
 */
function verified(receipt: object, fingerprint?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'receipt-'));
  const file = join(folder, 'receipt.json');
  writeFileSync(file, JSON.stringify(receipt));
  try {
    const options = fingerprint === undefined ? [] : ['--fingerprint', fingerprint];
    return execFileSync(process.execPath, ['bin/verify-receipt.ts', file, ...options], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
