import { describe, expect, test } from '@jest/globals';
import * as kms from '@aws-sdk/client-kms';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsError } from '../../../lib/local/aws-json.ts';
import { startKeys } from '../../../lib/local/keys/server.ts';
import { fails, folder, startProcess } from '../aws.ts';
import { findClient, newKey, start } from './start.ts';

const text = Buffer.from('a secret');

describe('the local KMS', () => {
  test('keeps a created key through kill -9, in a file that only its owner can read', async () => {
    const dataFolder = folder();
    const url = new URL('../../../lib/local/keys/server.ts', import.meta.url).href;
    const code = `import { startKeys } from '${url}';
      const keys = await startKeys({ dataFolder: process.argv[1], now: Date.now });
      console.log(keys.url);`;
    const running = await startProcess(code, dataFolder);
    const before = findClient(running.url);
    const KeyId = await newKey(before);
    const { CiphertextBlob } = await before.send(new kms.EncryptCommand({ KeyId, Plaintext: text }));
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    for (const file of readdirSync(dataFolder)) expect(statSync(join(dataFolder, file)).mode & 0o077).toBe(0);
    const { client } = await start({ dataFolder });
    const opened = await client.send(new kms.DecryptCommand({ CiphertextBlob }));
    expect(Buffer.from(opened.Plaintext ?? [])).toEqual(text);
  });

  test('keeps an ensured key, its alias and ciphertexts after a reset and a restart, and deletes other keys', async () => {
    const dataFolder = folder();
    const { keys, client } = await start({ dataFolder });
    const { keyId } = await keys.ensureKey({ alias: 'alias/main' });
    const { CiphertextBlob } = await client.send(new kms.EncryptCommand({ KeyId: 'alias/main', Plaintext: text }));
    const lost = await newKey(client);
    await client.send(new kms.DisableKeyCommand({ KeyId: keyId }));
    keys.reset();
    expect(await keys.ensureKey({ alias: 'alias/main' })).toMatchObject({ keyId });
    await fails(client.send(new kms.DescribeKeyCommand({ KeyId: lost })), 'NotFoundException');
    await client.send(new kms.DecryptCommand({ CiphertextBlob }));
    await keys.close();
    const after = await start({ dataFolder });
    expect(await after.keys.ensureKey({ alias: 'alias/main' })).toMatchObject({ keyId });
    await after.client.send(new kms.DecryptCommand({ KeyId: 'alias/main', CiphertextBlob }));
    await expect(after.keys.ensureKey({ alias: 'alias/main', spec: 'ECC_NIST_P256' })).rejects.toThrow('alias/main');
  });

  test('fails calls with injected faults, and the client retries retryable ones', async () => {
    const seen: string[] = [];
    const { client } = await start({
      faults: (name) => {
        seen.push(name);
        if (seen.length === 1) throw new AwsError('KMSInternalException', 'Try again.', 500, 1);
        if (name === 'DescribeKey') throw new AwsError('AccessDeniedException', 'No.', 400);
      },
    });
    const { KeyMetadata } = await client.send(new kms.CreateKeyCommand({}));
    expect(KeyMetadata?.KeyState).toBe('Enabled');
    await fails(client.send(new kms.DescribeKeyCommand({ KeyId: 'x' })), 'AccessDeniedException');
    expect(seen).toEqual(['CreateKey', 'CreateKey', 'DescribeKey']);
  });

  test('rejects unsupported members instead of ignoring them, without repeating their values', async () => {
    const { client } = await start();
    await fails(client.send(new kms.CreateKeyCommand({ XksKeyId: 'x' })), 'ValidationException');
    await fails(client.send(new kms.CreateKeyCommand({ KeySpec: 'ECC_NIST_P256' })), 'ValidationException');
    await fails(
      client.send(new kms.CreateGrantCommand({ KeyId: 'x', GranteePrincipal: 'y', Operations: [] })),
      'UnknownOperationException',
    );
    const KeyId = await newKey(client);
    const dry = client.send(new kms.EncryptCommand({ KeyId, Plaintext: text, DryRun: true }));
    await fails(dry, 'ValidationException');
    await expect(dry).rejects.not.toThrow(text.toString('base64'));
  });

  test('responds to malformed requests with 4xx and continues', async () => {
    const { keys } = await start();
    const headers = { 'x-amz-target': 'TrentService.Encrypt', 'content-type': 'application/x-amz-json-1.1' };
    const post = (body: string | Buffer<ArrayBuffer>, more = {}) =>
      fetch(keys.url, { method: 'POST', headers: { ...headers, ...more }, body });
    for (const body of ['{', Buffer.from([0x22, 0xff, 0x22]), '[]', '{"KeyId":1}', '']) {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toHaveProperty('__type');
      expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get('x-amzn-errortype')).toMatch(/Exception$/);
    }
    expect((await post(Buffer.alloc(5_000_000))).status).toBe(413);
    expect((await post('{}', { 'x-amz-target': 'TrentService.constructor' })).status).toBe(400);
  });

  test('names the damaged file', async () => {
    const dataFolder = folder();
    writeFileSync(join(dataFolder, 'keys.sqlite'), 'not a database, but long enough to look at '.repeat(100));
    chmodSync(join(dataFolder, 'keys.sqlite'), 0o644);
    await expect(startKeys({ dataFolder, now: Date.now })).rejects.toThrow('keys.sqlite cannot be opened');
  });
});
