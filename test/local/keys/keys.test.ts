import { describe, expect, test } from '@jest/globals';
import * as kms from '@aws-sdk/client-kms';
import { constants, createHash, createPublicKey, publicEncrypt, verify } from 'node:crypto';
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
    const bare = new kms.GenerateDataKeyWithoutPlaintextCommand({ KeyId, NumberOfBytes: 64 });
    const hidden = await client.send(bare);
    expect(hidden).not.toHaveProperty('Plaintext');
    const decrypted = await client.send(new kms.DecryptCommand({ CiphertextBlob: hidden.CiphertextBlob }));
    expect(decrypted.Plaintext).toHaveLength(64);
    await fails(client.send(new kms.GenerateDataKeyCommand({ KeyId })), 'ValidationException');
    const random = await client.send(new kms.GenerateRandomCommand({ NumberOfBytes: 24 }));
    expect(random.Plaintext).toHaveLength(24);
  });

  test('generates data key pairs whose private key matches the public key', async () => {
    const { client } = await start();
    const KeyId = await newKey(client);
    const input = { KeyId, KeyPairSpec: 'ECC_NIST_P256' } as const;
    const pair = await client.send(new kms.GenerateDataKeyPairCommand(input));
    const { Plaintext } = await client.send(new kms.DecryptCommand({ CiphertextBlob: pair.PrivateKeyCiphertextBlob }));
    expect(Plaintext).toEqual(pair.PrivateKeyPlaintext);
    const key = createPublicKey({ key: Buffer.from(pair.PublicKey ?? []), format: 'der', type: 'spki' });
    expect(key.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    const hidden = await client.send(new kms.GenerateDataKeyPairWithoutPlaintextCommand(input));
    expect(hidden).not.toHaveProperty('PrivateKeyPlaintext');
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

  test('decrypts with RSA data that was encrypted with its public key', async () => {
    const { client } = await start();
    const KeyId = await newKey(client, { KeySpec: 'RSA_2048', KeyUsage: 'ENCRYPT_DECRYPT' });
    const { PublicKey } = await client.send(new kms.GetPublicKeyCommand({ KeyId }));
    const key = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' });
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const sealed = publicEncrypt({ key, padding, oaepHash: 'sha256' }, text);
    const EncryptionAlgorithm = 'RSAES_OAEP_SHA_256';
    const input = { KeyId, CiphertextBlob: sealed, EncryptionAlgorithm } as const;
    const opened = await client.send(new kms.DecryptCommand(input));
    expect(Buffer.from(opened.Plaintext ?? [])).toEqual(text);
    const long = { KeyId, Plaintext: Buffer.alloc(191), EncryptionAlgorithm } as const;
    await fails(client.send(new kms.EncryptCommand(long)), 'ValidationException');
    const symmetric = new kms.EncryptCommand({ KeyId, Plaintext: text });
    await fails(client.send(symmetric), 'InvalidKeyUsageException');
  });
});

describe('a KMS key', () => {
  test('is found by id, ARN, alias name and alias ARN, and by nothing else', async () => {
    const { client } = await start();
    const KeyId = await newKey(client, { Description: 'main' });
    await client.send(new kms.CreateAliasCommand({ AliasName: 'alias/main', TargetKeyId: KeyId }));
    const arn = 'arn:aws:kms:us-east-1:000000000000';
    for (const reference of [KeyId, `${arn}:key/${KeyId}`, 'alias/main', `${arn}:alias/main`]) {
      const { KeyMetadata } = await client.send(new kms.DescribeKeyCommand({ KeyId: reference }));
      expect(KeyMetadata).toMatchObject({ KeyId, Description: 'main', Enabled: true, KeyState: 'Enabled' });
      expect(KeyMetadata?.CreationDate).toEqual(new Date('2026-01-01T00:00:00Z'));
    }
    const foreign = `${arn.replace('us-east-1', 'eu-west-1')}:key/${KeyId}`;
    for (const reference of ['alias/none', `${arn}:alias/none`, 'none', foreign]) {
      await fails(client.send(new kms.DescribeKeyCommand({ KeyId: reference })), 'NotFoundException');
    }
    await fails(client.send(new kms.DisableKeyCommand({ KeyId: 'alias/main' })), 'NotFoundException');
    await client.send(new kms.DeleteAliasCommand({ AliasName: 'alias/main' }));
    await fails(client.send(new kms.DescribeKeyCommand({ KeyId: 'alias/main' })), 'NotFoundException');
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

  test('rejects use while its deletion is pending, is disabled after a cancellation, and is deleted with its material when due', async () => {
    const { client, clock } = await start();
    const KeyId = await newKey(client);
    const { CiphertextBlob } = await client.send(new kms.EncryptCommand({ KeyId, Plaintext: text }));
    const schedule = () => client.send(new kms.ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: 7 }));
    const decrypt = () => client.send(new kms.DecryptCommand({ CiphertextBlob }));
    const scheduled = await schedule();
    expect(scheduled.DeletionDate).toEqual(new Date('2026-01-08T00:00:00Z'));
    await fails(decrypt(), 'KMSInvalidStateException');
    await fails(client.send(new kms.EnableKeyCommand({ KeyId })), 'KMSInvalidStateException');
    await client.send(new kms.CancelKeyDeletionCommand({ KeyId }));
    await fails(decrypt(), 'DisabledException');
    await client.send(new kms.EnableKeyCommand({ KeyId }));
    await decrypt();
    await schedule();
    clock.now += 7 * dayMs;
    await fails(decrypt(), 'NotFoundException');
    await fails(client.send(new kms.DescribeKeyCommand({ KeyId })), 'NotFoundException');
    expect((await client.send(new kms.ListKeysCommand({}))).Keys).toEqual([]);
  });

  test('decrypts with its earlier backing keys after rotation on demand and by the clock', async () => {
    const { client, clock } = await start();
    const KeyId = await newKey(client);
    const encrypt = () => client.send(new kms.GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' }));
    const made = [await encrypt()];
    await client.send(new kms.RotateKeyOnDemandCommand({ KeyId }));
    made.push(await encrypt());
    await client.send(new kms.EnableKeyRotationCommand({ KeyId, RotationPeriodInDays: 90 }));
    clock.now += 91 * dayMs;
    made.push(await encrypt());
    expect(new Set(made.map(({ KeyMaterialId }) => KeyMaterialId)).size).toBe(3);
    for (const { CiphertextBlob, Plaintext, KeyMaterialId } of made) {
      const opened = await client.send(new kms.DecryptCommand({ CiphertextBlob }));
      expect(opened).toMatchObject({ Plaintext, KeyMaterialId });
    }
    const { Rotations } = await client.send(new kms.ListKeyRotationsCommand({ KeyId }));
    expect(Rotations?.map(({ RotationType }) => RotationType)).toEqual(['ON_DEMAND', 'AUTOMATIC']);
    const status = await client.send(new kms.GetKeyRotationStatusCommand({ KeyId }));
    expect(status).toMatchObject({ KeyRotationEnabled: true, RotationPeriodInDays: 90 });
    await client.send(new kms.DisableKeyRotationCommand({ KeyId }));
    const off = await client.send(new kms.GetKeyRotationStatusCommand({ KeyId }));
    expect(off.KeyRotationEnabled).toBe(false);
    const mac = await newKey(client, { KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' });
    await fails(client.send(new kms.RotateKeyOnDemandCommand({ KeyId: mac })), 'UnsupportedOperationException');
  });

  test('is listed page by page, with its aliases and tags', async () => {
    const { client } = await start();
    const ids = await Promise.all(Array.from({ length: 5 }, () => newKey(client)));
    const listed: (string | undefined)[] = [];
    for await (const { Keys } of kms.paginateListKeys({ client, pageSize: 2 }, {})) {
      listed.push(...(Keys ?? []).map((key) => key.KeyId));
    }
    expect(listed).toEqual(ids.toSorted());
    const [first = '', second = ''] = ids;
    for (const [name, TargetKeyId] of [
      ['alias/b', first],
      ['alias/a', first],
      ['alias/c', second],
    ] as const) {
      await client.send(new kms.CreateAliasCommand({ AliasName: name, TargetKeyId }));
    }
    const names = async (input: kms.ListAliasesCommandInput) =>
      (await client.send(new kms.ListAliasesCommand(input))).Aliases?.map(({ AliasName }) => AliasName);
    expect(await names({})).toEqual(['alias/a', 'alias/b', 'alias/c']);
    expect(await names({ KeyId: first })).toEqual(['alias/a', 'alias/b']);
    const again = new kms.CreateAliasCommand({ AliasName: 'alias/a', TargetKeyId: second });
    await fails(client.send(again), 'AlreadyExistsException');
    const Tags = [{ TagKey: 'organization', TagValue: 'org_1' }];
    await client.send(new kms.TagResourceCommand({ KeyId: first, Tags }));
    expect((await client.send(new kms.ListResourceTagsCommand({ KeyId: first }))).Tags).toEqual(Tags);
  });
});

describe('signatures', () => {
  const cases = [
    ['RSA_2048', 'RSASSA_PKCS1_V1_5_SHA_256'],
    ['RSA_3072', 'RSASSA_PSS_SHA_512'],
    ['ECC_NIST_P256', 'ECDSA_SHA_256'],
  ] as const;
  test.each(cases)('of %s with %s verify here and with the public key, and no others do', async (KeySpec, name) => {
    const { client } = await start();
    const KeyId = await newKey(client, { KeySpec, KeyUsage: 'SIGN_VERIFY' });
    const shared = { KeyId, Message: text, SigningAlgorithm: name };
    const { Signature } = await client.send(new kms.SignCommand(shared));
    const valid = await client.send(new kms.VerifyCommand({ ...shared, Signature }));
    expect(valid.SignatureValid).toBe(true);
    const other = new kms.VerifyCommand({ ...shared, Message: Buffer.from('another'), Signature });
    await fails(client.send(other), 'KMSInvalidSignatureException');
    const { PublicKey } = await client.send(new kms.GetPublicKeyCommand({ KeyId }));
    const key = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' });
    const padding = name.includes('PSS') ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
    const hash = name.endsWith('512') ? 'sha512' : 'sha256';
    expect(verify(hash, text, { key, ...padding }, Buffer.from(Signature ?? []))).toBe(true);
    await fails(client.send(new kms.EncryptCommand({ KeyId, Plaintext: text })), 'InvalidKeyUsageException');
  });

  test('of a digest equal those of its message', async () => {
    const { client } = await start();
    const KeyId = await newKey(client, { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' });
    const digest = createHash('sha256').update(text).digest();
    const shared = { KeyId, SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' } as const;
    const byDigest = { ...shared, Message: digest, MessageType: 'DIGEST' } as const;
    const { Signature } = await client.send(new kms.SignCommand(byDigest));
    const plain = await client.send(new kms.SignCommand({ ...shared, Message: text }));
    expect(Signature).toEqual(plain.Signature);
    await client.send(new kms.VerifyCommand({ ...byDigest, Signature }));
    const short = { ...byDigest, Message: digest.subarray(1) };
    await fails(client.send(new kms.SignCommand(short)), 'ValidationException');
  });

  test('by HMAC verify only for the same message', async () => {
    const { client } = await start();
    const KeyId = await newKey(client, { KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' });
    const shared = { KeyId, Message: text, MacAlgorithm: 'HMAC_SHA_256' } as const;
    const { Mac } = await client.send(new kms.GenerateMacCommand(shared));
    const valid = await client.send(new kms.VerifyMacCommand({ ...shared, Mac }));
    expect(valid.MacValid).toBe(true);
    const other = new kms.VerifyMacCommand({ ...shared, Message: Buffer.from('another'), Mac });
    await fails(client.send(other), 'KMSInvalidMacException');
  });
});
