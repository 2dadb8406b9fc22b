import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createEnvelopes, type EnvelopeOptions } from '../../../functions/kernel/keys/envelopes.ts';
import { KeyRejected, KeyServiceUnavailable, SealedValueError } from '../../../functions/kernel/keys/errors.ts';
import type { KeyScope, KeyWrapper } from '../../../functions/kernel/keys/key-wrapper.ts';
import { kmsKeyWrapper } from '../../../functions/kernel/keys/kms-key-wrapper.ts';
import { FakeKms } from './fake-kms.ts';

const scope: KeyScope = { environmentId: 'environment_1', organizationId: 'org_1', purpose: 'vault' };
const record = 'object_1';

function setUp(bounds: Partial<EnvelopeOptions> = {}) {
  const kms = new FakeKms();
  const clock = { time: 1_000_000 };
  const wrapper = kmsKeyWrapper({ kms: kms.client, keyId: 'alias/gatehouse' });
  const options = { wrapper, now: () => clock.time, ...bounds };
  // A second process uses the same KMS and has none of the first one's keys.
  return { kms, clock, envelopes: createEnvelopes(options), elsewhere: createEnvelopes(options) };
}

/** A key wrapper whose key bytes the test can inspect. */
function watchedWrapper() {
  const keys: Uint8Array[] = [];
  const wrapper: KeyWrapper = {
    async generate() {
      const plaintext = new Uint8Array(randomBytes(32));
      keys.push(plaintext);
      return { plaintext, wrapped: Buffer.from(plaintext) };
    },
    async unwrap(_scope, wrapped) {
      const plaintext = Uint8Array.from(wrapped);
      keys.push(plaintext);
      return plaintext;
    },
  };
  return { keys, wrapper, zeroed: () => keys.map((key) => key.every((byte) => byte === 0)) };
}

describe('an encrypted value', () => {
  test.each(['', 'x', 'café ☃ 𝄞', 'v'.repeat(256 * 1024)])(
    'is decrypted unchanged, also by another process',
    async (value) => {
      const { envelopes, elsewhere } = setUp();
      const sealed = await envelopes.seal(scope, record, value);
      expect(await envelopes.openText(scope, record, sealed)).toBe(value);
      expect(await elsewhere.openText(scope, record, sealed)).toBe(value);
    },
  );

  test('may be bytes, does not contain them, and is different each time', async () => {
    const { envelopes } = setUp();
    const value = randomBytes(64);
    const sealed = Buffer.from(await envelopes.seal(scope, record, new Uint8Array(value)));
    expect(Buffer.from(await envelopes.open(scope, record, sealed))).toEqual(value);
    expect(sealed.includes(value.subarray(0, 8))).toBe(false);
    expect(await envelopes.seal(scope, record, value)).not.toEqual(sealed);
  });

  test('has the documented format', async () => {
    const { envelopes } = setUp();
    const sealed = Buffer.from(await envelopes.seal(scope, record, 'four'));
    const wrapped = sealed.readUInt16BE(17);
    expect([sealed[0], wrapped, sealed.length]).toEqual([1, 60, 19 + 60 + 12 + 4 + 16]);
  });

  test.each(['held', 'not held'])('is unreadable with any byte changed, its key %s', async (held) => {
    const { envelopes, elsewhere } = setUp();
    const sealed = await envelopes.seal(scope, record, 'secret');
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Uint8Array.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 0x01;
      await expect((held === 'held' ? envelopes : elsewhere).open(scope, record, altered)).rejects.toThrow(
        SealedValueError,
      );
    }
  });

  test('is unreadable at any shorter or greater length', async () => {
    const { envelopes } = setUp();
    const sealed = await envelopes.seal(scope, record, 'secret');
    for (let length = 0; length < sealed.length; length += 1) {
      await expect(envelopes.open(scope, record, sealed.subarray(0, length))).rejects.toThrow(SealedValueError);
    }
    await expect(envelopes.open(scope, record, Buffer.concat([sealed, Buffer.from([0])]))).rejects.toThrow(
      SealedValueError,
    );
  });

  const elsewheres: [string, KeyScope, string][] = [
    ['record', scope, 'object_2'],
    ['environment', { ...scope, environmentId: 'environment_2' }, record],
    ['organization', { ...scope, organizationId: 'org_2' }, record],
    ['scope without an organization', { environmentId: 'environment_1', purpose: 'vault' }, record],
    ['purpose', { ...scope, purpose: 'totp' }, record],
    ['split of the same letters', { ...scope, purpose: 'vaultobject' }, '_1'],
  ];

  test.each(elsewheres)('is unreadable in another %s', async (_what, movedTo, movedRecord) => {
    const { envelopes, elsewhere } = setUp();
    const sealed = await envelopes.seal(scope, record, 'secret');
    // The scope to which the value is moved also has a cached key of its own.
    await envelopes.seal(movedTo, movedRecord, 'other');
    for (const each of [envelopes, elsewhere]) {
      const error = await each.open(movedTo, movedRecord, sealed).catch((e: unknown) => e);
      expect(error).toMatchObject({ code: 'unreadable', retryable: false });
    }
  });

  test('is unreadable with the key header of another value', async () => {
    const { envelopes } = setUp({ maxUses: 1 });
    const [a, b] = [await envelopes.seal(scope, record, 'a'), await envelopes.seal(scope, record, 'b')];
    const end = 19 + Buffer.from(a).readUInt16BE(17);
    const mixed = Buffer.concat([a.subarray(0, end), b.subarray(end)]);
    await expect(envelopes.open(scope, record, mixed)).rejects.toThrow(SealedValueError);
  });

  test('that is damaged causes no request to the key service', async () => {
    const { envelopes, elsewhere, kms } = setUp();
    const sealed = Uint8Array.from(await envelopes.seal(scope, record, 'secret'));
    sealed[30] = (sealed[30] ?? 0) ^ 0xff;
    await expect(elsewhere.open(scope, record, sealed)).rejects.toThrow(SealedValueError);
    expect(kms.count('Decrypt')).toBe(0);
  });
});

describe('the key service', () => {
  test('gets the scope as encryption context and the key by name', async () => {
    const { envelopes, elsewhere, kms } = setUp();
    await elsewhere.open(scope, record, await envelopes.seal(scope, record, 'secret'));
    const context = { environment_id: 'environment_1', organization_id: 'org_1', purpose: 'vault' };
    expect(kms.calls).toEqual([
      { operation: 'GenerateDataKey', context, keyId: 'alias/gatehouse' },
      { operation: 'Decrypt', context, keyId: 'alias/gatehouse' },
    ]);
    await envelopes.seal({ environmentId: 'environment_1', purpose: 'vault' }, record, 'secret');
    expect(kms.calls[2]?.context).toEqual({ environment_id: 'environment_1', purpose: 'vault' });
  });

  const faults: [string, number | undefined, unknown][] = [
    ['ThrottlingException', 400, KeyServiceUnavailable],
    ['KMSInternalException', 500, KeyServiceUnavailable],
    ['DependencyTimeoutException', 503, KeyServiceUnavailable],
    ['KeyUnavailableException', 400, KeyServiceUnavailable],
    ['TimeoutError', undefined, KeyServiceUnavailable],
    ['DisabledException', 400, KeyRejected],
    ['AccessDeniedException', 400, KeyRejected],
    ['KMSInvalidStateException', 400, KeyRejected],
    ['NotFoundException', 400, KeyRejected],
    ['InvalidCiphertextException', 400, SealedValueError],
    ['IncorrectKeyException', 400, SealedValueError],
    ['ValidationException', 400, Error],
  ];

  test.each(faults)(
    'that fails with %s causes the matching error, and is called again the next time',
    async (name, status, expected) => {
      const { envelopes, elsewhere, kms } = setUp();
      const sealed = await envelopes.seal(scope, record, 'secret');
      kms.fault = { name, ...(status === undefined ? {} : { $metadata: { httpStatusCode: status } }) };
      const error = (await elsewhere.open(scope, record, sealed).catch((e: unknown) => e)) as Error;
      expect(error.constructor).toBe(expected);
      await expect(envelopes.seal({ ...scope, purpose: 'totp' }, record, 'x')).rejects.toThrow();
      kms.fault = undefined;
      expect(await elsewhere.openText(scope, record, sealed)).toBe('secret');
      await envelopes.seal({ ...scope, purpose: 'totp' }, record, 'x');
    },
  );

  test('is called once for concurrent first uses of a scope, and once for each other scope', async () => {
    const { envelopes, elsewhere, kms } = setUp();
    const all = await Promise.all(Array.from({ length: 50 }, (_, i) => envelopes.seal(scope, `object_${i}`, `${i}`)));
    expect(kms.count('GenerateDataKey')).toBe(1);
    const texts = await Promise.all(all.map((sealed, i) => elsewhere.openText(scope, `object_${i}`, sealed)));
    expect(texts).toEqual(all.map((_, i) => `${i}`));
    expect(kms.count('Decrypt')).toBe(1);
    await envelopes.seal({ ...scope, organizationId: 'org_2' }, record, 'x');
    expect(kms.count('GenerateDataKey')).toBe(2);
  });

  test('is not called to decrypt a value that this process has just encrypted', async () => {
    const { envelopes, kms } = setUp();
    await envelopes.open(scope, record, await envelopes.seal(scope, record, 'secret'));
    expect(kms.count('Decrypt')).toBe(0);
  });

  test('that fails for concurrent first uses fails all of them, and no later use', async () => {
    const { envelopes, kms } = setUp();
    kms.fault = { name: 'ThrottlingException' };
    const failed = await Promise.allSettled([1, 2, 3].map((i) => envelopes.seal(scope, record, `${i}`)));
    expect(failed.map((each) => each.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(kms.calls).toHaveLength(1);
    kms.fault = undefined;
    expect(await envelopes.seal(scope, record, 'x')).toBeInstanceOf(Uint8Array);
  });
});

describe('a data key', () => {
  test('is cached for at most a minute, so that a disabled key stops reads and writes by then', async () => {
    const { envelopes, kms, clock } = setUp();
    const sealed = await envelopes.seal(scope, record, 'secret');
    kms.fault = { name: 'DisabledException' };
    clock.time += 59_999;
    expect(await envelopes.openText(scope, record, sealed)).toBe('secret');
    await envelopes.seal(scope, record, 'more');
    clock.time += 1;
    await expect(envelopes.open(scope, record, sealed)).rejects.toThrow(KeyRejected);
    await expect(envelopes.seal(scope, record, 'more')).rejects.toThrow(KeyRejected);
  });

  test('is discarded if the clock goes back', async () => {
    const { envelopes, kms, clock } = setUp();
    await envelopes.seal(scope, record, 'a');
    clock.time -= 1;
    await envelopes.seal(scope, record, 'b');
    expect(kms.count('GenerateDataKey')).toBe(2);
  });

  test('encrypts a bounded number of values, also in parallel', async () => {
    const { envelopes, kms } = setUp({ maxUses: 10 });
    await Promise.all(Array.from({ length: 25 }, () => envelopes.seal(scope, record, 'x')));
    expect(kms.count('GenerateDataKey')).toBe(3);
  });

  test('is overwritten in memory after its expiry or eviction', async () => {
    const { wrapper, zeroed } = watchedWrapper();
    const { envelopes, clock } = setUp({ wrapper, maxKeys: 2 });
    for (const purpose of ['a', 'b']) await envelopes.seal({ ...scope, purpose }, record, 'x');
    await envelopes.seal({ ...scope, purpose: 'a' }, record, 'x');
    await envelopes.seal({ ...scope, purpose: 'c' }, record, 'x');
    // The key b was used least recently.
    expect(zeroed()).toEqual([false, true, false]);
    clock.time += 60_000;
    await envelopes.seal({ ...scope, purpose: 'd' }, record, 'x');
    expect(zeroed()).toEqual([true, true, true, false]);
  });

  test('is never overwritten while a call uses it, however small the cache', async () => {
    const { wrapper, zeroed } = watchedWrapper();
    const small = setUp({ wrapper, maxKeys: 1 }).envelopes;
    const large = setUp({ wrapper }).envelopes;
    const scopes = Array.from({ length: 20 }, (_, i) => ({ ...scope, purpose: `purpose_${i}` }));
    // Each side encrypts for the other: a value that was encrypted with a key of zeroes would be unreadable with the real
    // key.
    for (const [from, to] of [
      [small, large],
      [large, small],
    ] as const) {
      const sealed = await Promise.all(scopes.map((each) => from.seal(each, record, each.purpose)));
      const open = (each: KeyScope, i: number) => to.openText(each, record, sealed[i] ?? new Uint8Array());
      expect(await Promise.all(scopes.map(open))).toEqual(scopes.map((each) => each.purpose));
    }
    // The number of keys in the large cache, for encryption and decryption, and in the small one.
    expect(zeroed().filter((each) => !each)).toHaveLength(42);
  });
});
