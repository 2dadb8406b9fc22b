import { describe, expect, test } from '@jest/globals';
import * as kms from '@aws-sdk/client-kms';
import { createPublicKey, verify } from 'node:crypto';
import { fails } from '../aws.ts';
import { newKey, start } from './start.ts';

const dayMs = 86_400_000;
const text = Buffer.from('a secret');
const EncryptionContext = { environment: 'e1', purpose: 'vault' };

describe('encryption', () => {
  test('decrypts with the same context in any order, and names the key', async () => {
    const { client } = await start();
    const KeyId = await newKey(client);
    const sealed = await client.send(new kms.EncryptCommand({ KeyId, Plaintext: text, EncryptionContext }));
    expect(sealed).toMatchObject({ KeyId: `arn:aws:kms:us-east-1:000000000000:key/${KeyId}` });
    const reordered = { purpose: 'vault', environment: 'e1' };
    const { CiphertextBlob } = sealed;
    const opened = await client.send(new kms.DecryptCommand({ CiphertextBlob, EncryptionContext: reordered }));
    expect(Buffer.from(opened.Plaintext ?? [])).toEqual(text);
    expect(opened).toMatchObject({ KeyId: sealed.KeyId, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' });
  });

  test('rejects a wrong, missing or differently split context, and a ciphertext altered at any byte', async () => {
    const { client } = await start();
    const KeyId = await newKey(client);
    const sealed = await client.send(
      new kms.EncryptCommand({ KeyId, Plaintext: text, EncryptionContext: { ab: 'c' } }),
    );
    const decrypt = (context: Record<string, string> | undefined, CiphertextBlob = sealed.CiphertextBlob) =>
      client.send(new kms.DecryptCommand({ CiphertextBlob, ...(context && { EncryptionContext: context }) }));
    for (const context of [{ a: 'bc' }, { ab: 'd' }, { ab: 'c', more: '' }, undefined]) {
      await fails(decrypt(context), 'InvalidCiphertextException');
    }
    const bytes = Buffer.from(sealed.CiphertextBlob ?? []);
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8((bytes[at] ?? 0) ^ 1, at);
      await fails(decrypt({ ab: 'c' }, altered), 'InvalidCiphertextException');
    }
    await fails(decrypt({ ab: 'c' }, bytes.subarray(0, 60)), 'InvalidCiphertextException');
  });

  test('accepts 4,096 bytes and rejects one more, or none', async () => {
    const { client } = await start();
    const KeyId = await newKey(client);
    const encrypt = (size: number) => client.send(new kms.EncryptCommand({ KeyId, Plaintext: Buffer.alloc(size) }));
    const { CiphertextBlob } = await encrypt(4096);
    const { Plaintext } = await client.send(new kms.DecryptCommand({ CiphertextBlob }));
    expect(Plaintext).toHaveLength(4096);
    await fails(encrypt(4097), 'ValidationException');
    await fails(encrypt(0), 'ValidationException');
  });

  test('generates data keys whose encrypted form decrypts to the plain one', async () => {
    const { client } = await start();
    const KeyId = await newKey(client);
    const made = await client.send(new kms.GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext }));
    const { CiphertextBlob } = made;
    const opened = await client.send(new kms.DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext }));
    expect(opened.Plaintext).toEqual(made.Plaintext);
    expect(opened.Plaintext).toHaveLength(32);
    await fails(client.send(new kms.GenerateDataKeyCommand({ KeyId })), 'ValidationException');
  });

  test('re-encrypts under another key and context without returning the plaintext', async () => {
    const { client } = await start();
    const [first, second] = [await newKey(client), await newKey(client)];
    const sealed = await client.send(new kms.EncryptCommand({ KeyId: first, Plaintext: text, EncryptionContext }));
    const moved = await client.send(
      new kms.ReEncryptCommand({
        CiphertextBlob: sealed.CiphertextBlob,
        SourceEncryptionContext: EncryptionContext,
        DestinationKeyId: second,
        DestinationEncryptionContext: { new: 'context' },
      }),
    );
    const { CiphertextBlob } = moved;
    const decrypt = { CiphertextBlob, EncryptionContext: { new: 'context' } };
    const opened = await client.send(new kms.DecryptCommand({ ...decrypt, KeyId: second }));
    expect(Buffer.from(opened.Plaintext ?? [])).toEqual(text);
    await fails(client.send(new kms.DecryptCommand({ ...decrypt, KeyId: first })), 'IncorrectKeyException');
  });
});

describe('a KMS key', () => {
  test('is found by id, ARN, alias name and alias ARN, and by nothing else', async () => {
    const { client, keys } = await start();
    const { keyId: KeyId } = await keys.ensureKey({ alias: 'alias/main' });
    const arn = 'arn:aws:kms:us-east-1:000000000000';
    for (const reference of [KeyId, `${arn}:key/${KeyId}`, 'alias/main', `${arn}:alias/main`]) {
      const { KeyMetadata } = await client.send(new kms.DescribeKeyCommand({ KeyId: reference }));
      expect(KeyMetadata).toMatchObject({ KeyId, Enabled: true, KeyState: 'Enabled' });
      expect(KeyMetadata?.CreationDate).toEqual(new Date('2026-01-01T00:00:00Z'));
    }
    const foreign = `${arn.replace('us-east-1', 'eu-west-1')}:key/${KeyId}`;
    for (const reference of ['alias/none', `${arn}:alias/none`, 'none', foreign]) {
      await fails(client.send(new kms.DescribeKeyCommand({ KeyId: reference })), 'NotFoundException');
    }
    await fails(client.send(new kms.DisableKeyCommand({ KeyId: 'alias/main' })), 'NotFoundException');
  });

  test('rejects use while it is disabled, and works again when enabled', async () => {
    const { client } = await start();
    const KeyId = await newKey(client);
    const encrypt = () => client.send(new kms.EncryptCommand({ KeyId, Plaintext: text }));
    const { CiphertextBlob } = await encrypt();
    await client.send(new kms.DisableKeyCommand({ KeyId }));
    await fails(encrypt(), 'DisabledException');
    await fails(client.send(new kms.DecryptCommand({ CiphertextBlob })), 'DisabledException');
    await client.send(new kms.EnableKeyCommand({ KeyId }));
    await client.send(new kms.DecryptCommand({ CiphertextBlob }));
  });

  test('rejects use while its deletion is pending, and is deleted with its material when due', async () => {
    const { client, clock } = await start();
    const KeyId = await newKey(client);
    const { CiphertextBlob } = await client.send(new kms.EncryptCommand({ KeyId, Plaintext: text }));
    const decrypt = () => client.send(new kms.DecryptCommand({ CiphertextBlob }));
    const scheduled = await client.send(new kms.ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: 7 }));
    expect(scheduled.DeletionDate).toEqual(new Date('2026-01-08T00:00:00Z'));
    await fails(decrypt(), 'KMSInvalidStateException');
    await fails(client.send(new kms.EnableKeyCommand({ KeyId })), 'KMSInvalidStateException');
    clock.now += 7 * dayMs;
    await fails(decrypt(), 'NotFoundException');
    await fails(client.send(new kms.DescribeKeyCommand({ KeyId })), 'NotFoundException');
  });

  test('decrypts with its earlier key material after a rotation', async () => {
    const { client } = await start();
    const KeyId = await newKey(client);
    const made = [];
    for (let at = 0; at < 3; at += 1) {
      made.push(await client.send(new kms.GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' })));
      await client.send(new kms.RotateKeyOnDemandCommand({ KeyId }));
    }
    expect(new Set(made.map(({ KeyMaterialId }) => KeyMaterialId)).size).toBe(3);
    for (const { CiphertextBlob, Plaintext, KeyMaterialId } of made) {
      const opened = await client.send(new kms.DecryptCommand({ CiphertextBlob }));
      expect(opened).toMatchObject({ Plaintext, KeyMaterialId });
    }
  });
});

test('a signature verifies with the public key, for its message only', async () => {
  const { client } = await start();
  const KeyId = await newKey(client, { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
  const input = { KeyId, Message: text, SigningAlgorithm: 'ECDSA_SHA_256' } as const;
  const { Signature } = await client.send(new kms.SignCommand(input));
  const { PublicKey } = await client.send(new kms.GetPublicKeyCommand({ KeyId }));
  const key = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' });
  const isValid = (message: Buffer) => verify('sha256', message, key, Buffer.from(Signature ?? []));
  expect([isValid(text), isValid(Buffer.from('another'))]).toEqual([true, false]);
  await fails(client.send(new kms.EncryptCommand({ KeyId, Plaintext: text })), 'InvalidKeyUsageException');
  const symmetric = await newKey(client);
  await fails(client.send(new kms.SignCommand({ ...input, KeyId: symmetric })), 'InvalidKeyUsageException');
});
