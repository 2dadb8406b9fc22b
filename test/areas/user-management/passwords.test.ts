import { createHmac } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import type { PreservedCredentials } from '../../../functions/proofs/modules/email-proofs/proof/prove-email.ts';
import { findUser } from '../../../functions/tenancy/modules/users/public.ts';
import { stageIdentity } from '../../../functions/proofs/modules/credentials/public.ts';
import { proveEmail } from '../../../functions/proofs/modules/email-proofs/public.ts';
import { decoyFor, stageDecoy } from '../../../functions/proofs/modules/credentials/password/decoys.ts';
import { passwordDecoys, passwords } from '../../../functions/proofs/modules/credentials/password/entity.ts';
import { decoyLike } from '../../../functions/proofs/modules/credentials/password/hash/decoy.ts';
import { readPasswordHash } from '../../../functions/proofs/modules/credentials/password/hash/read.ts';
import { call, messages, reset } from '../../support/service.ts';
import { addSession, environment, readSessions } from '../../support/users.ts';
import { isPassword, passwordCheck, rejectionText } from './codes.ts';
import { readEvents, newUser, type User, USERS } from './users.ts';

beforeEach(() => reset());

const GOOD = 'tangled violins at dawn';
const BCRYPT = {
  password_hash: '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i',
  password_hash_type: 'bcrypt',
};
const SSHA256 = 'czO44OTV17PcF1cRxWrLZLy9xHd7CWyVYplr1rOhuMlx/7IK';

/** Imported hashes with their passwords; their sources are named in the tests of hashes. */
const imports = [
  { ...BCRYPT, password: 'abc' },
  { password_hash: SSHA256, password_hash_type: 'ssha256', password_salt_position: 'suffix', password: 'test123' },
  { password_hash: '{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr', password_hash_type: 'ssha', password: 'testing123' },
  {
    password_hash: '$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44',
    password_hash_type: 'pbkdf2',
    password: 'password',
  },
  {
    password_hash: '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    password_hash_type: 'argon2',
    password: 'password',
  },
  {
    password_hash: '$scrypt$ln=15,r=8,p=1$m7M2BqBUytk75zznfK91jg$F11VwAGrQanCaexGVmBafSbTs1X2l165eyb+m8uN/mg',
    password_hash_type: 'scrypt',
    password: 'apple123',
  },
];

const readType = async ({ id }: User): Promise<string | undefined> => {
  const environmentId = await environment();
  return (await passwords.get(environmentId, id))?.type;
};

describe('a password', () => {
  for (const { password, ...hash } of imports) {
    test(`that was imported as ${hash.password_hash_type} is verified, and hashed again at its first use`, async () => {
      const user = await newUser(hash);
      expect(await readType(user)).toBe(hash.password_hash_type);
      expect((await passwordCheck(user, `${password}x`)).ok).toBe(false);
      const { ok, rehash } = await passwordCheck(user, password);
      expect(ok).toBe(true);
      await applyWork(await environment(), systemActor, async (unit) => unit.stage(rehash ?? []));
      expect(await readType(user)).toBe('own');
      const after = await passwordCheck(user, password);
      expect([after.ok, after.rehash]).toEqual([true, undefined]);
    });
  }

  test('is the same in composed and decomposed Unicode form', async () => {
    const user = await newUser({ password: 'cafe\u0301 at the \u212bngstro\u0308m' });
    expect(await isPassword(user, 'café at the Ångström')).toBe(true);
  });

  test('is in no response and no event', async () => {
    const user = await newUser({ password: GOOD });
    const read = await call('GET', `${USERS}/${user.id}`);
    const events = await readEvents('user.created');
    expect(JSON.stringify([user, read.body, events])).not.toMatch(/argon2|violins|password/);
  });

  test('that is changed revokes the sessions, and the owner of the address is notified', async () => {
    const user = await newUser({ password: GOOD, email_verified: true });
    await addSession(user.id);
    await call('PUT', `${USERS}/${user.id}`, { password: `${GOOD} again` });
    expect(await readSessions(user.id)).toEqual([]);
    expect((await messages(user.email))[0]?.subject).toContain('password');
    expect([await isPassword(user, GOOD), await isPassword(user, `${GOOD} again`)]).toEqual([false, true]);
  });

  test('is rejected for a hash without its type, a type without a hash, and a salt position of another type', async () => {
    const rejected = async (members: object): Promise<string> =>
      rejectionText(await call('POST', USERS, { email: 'ada@example.com', ...members }));
    expect(await rejected({ password_hash: BCRYPT.password_hash })).toBe('422 invalid_request_parameters');
    expect(await rejected({ password_hash_type: 'bcrypt' })).toBe('422 invalid_request_parameters');
    expect(await rejected({ ...BCRYPT, password_salt_position: 'prefix' })).toBe(
      '400 password_salt_position_requires_password_hash',
    );
    expect(await rejected({ ...BCRYPT, password_hash: '$2b$31$'.padEnd(60, 'a') })).toBe('400 invalid_password_hash');
  });

  test('of an unknown user or a user without one is always wrong', async () => {
    const none = await newUser();
    expect(await isPassword(none, '')).toBe(false);
    expect(await isPassword({ id: 'user_01J00000000000000000000000' }, GOOD)).toBe(false);
    expect(await isPassword(await newUser({ password: GOOD }), 'x'.repeat(100_000))).toBe(false);
  });
});

describe('decoy hashes for unknown users, made of imported hashes,', () => {
  test('take as long to verify as the imported hash, whatever its salt, and match no password', async () => {
    for (const { password_hash, password_hash_type, password } of imports) {
      const type = password_hash_type as Parameters<typeof decoyLike>[0];
      const decoy = decoyLike(type, password_hash);
      if (type.startsWith('ssha')) expect(decoy).toBeUndefined();
      else expect(await readPasswordHash(type, decoy ?? '').verify(password)).toBe(false);
    }
    expect(decoyLike('bcrypt', BCRYPT.password_hash)).toBe(decoyLike('bcrypt', '$2a$06$'.padEnd(60, 'x')));
  });

  test('are stored once for each kind of hash, and used for always the same half of the unknown addresses', async () => {
    for (let at = 0; at < 3; at += 1) await newUser(BCRYPT);
    const environmentId = await environment();
    const record = await passwordDecoys.get(environmentId, environmentId);
    expect(record?.hashes).toHaveLength(1);
    expect(record?.version).toBe(1);
    const secret = record?.secret ?? '';
    // Clears this process's caches of the table before it was emptied.
    clock.reset();
    let with_ = 0;
    for (let at = 0; at < 200; at += 1) {
      const address = `nobody-${at}@example.com`;
      const [first = 1] = createHmac('sha256', secret).update(address).digest();
      const isChosen = (await decoyFor(environmentId, address)) !== undefined;
      expect(isChosen).toBe(first % 2 === 1);
      if (isChosen) with_ += 1;
    }
    expect(with_).toBeGreaterThan(60);
    expect(with_).toBeLessThan(140);
  });
});

describe('decoy hashes of an import', () => {
  test('are stored by a unit of work that sets many passwords of several kinds', async () => {
    const environmentId = await environment();
    clock.reset();
    await applyWork(environmentId, systemActor, async (unit) => {
      for (const kind of ['06', '07', '06', '08']) {
        await stageDecoy(unit, environmentId, 'bcrypt', `$2a$${kind}$`.padEnd(60, 'x'));
      }
    });
    const record = await passwordDecoys.get(environmentId, environmentId);
    expect(record?.hashes.map(({ hash }) => hash.slice(4, 6))).toEqual(['06', '07', '08']);
  });
});

describe('the first verification of an address', () => {
  const prove = async ({ id }: User, kept?: PreservedCredentials): Promise<void> => {
    const environmentId = await environment();
    await applyWork(environmentId, systemActor, async (unit) => {
      const user = await findUser(environmentId, id);
      if (user !== undefined) await proveEmail(unit, user, kept);
    });
  };

  const link = async ({ id }: User, subject: string) => {
    const name = { provider: 'GoogleOAuth', issuer: 'https://accounts.google.com', subject };
    const environmentId = await environment();
    await applyWork(environmentId, systemActor, async (unit) => {
      await stageIdentity(unit, environmentId, id, name);
    });
    return name;
  };
  const linked = async ({ id }: User) => (await call<object[]>('GET', `${USERS}/${id}/identities`)).body;

  test('removes the earlier password, factors, identities, sessions and links', async () => {
    const user = await newUser({ password: GOOD });
    await addSession(user.id);
    await link(user, '1');
    const enrolled = await call<{ authentication_factor: { id: string } }>('POST', `${USERS}/${user.id}/auth_factors`, {
      type: 'totp',
    });
    const { body: started } = await call('POST', '/user_management/password_reset', { email: user.email });
    await prove(user);
    expect((await call('GET', `/auth/factors/${enrolled.body.authentication_factor.id}`)).status).toBe(404);
    expect(await linked(user)).toEqual([]);
    const reset = { token: started.password_reset_token, new_password: GOOD };
    expect(rejectionText(await call('POST', '/user_management/password_reset/confirm', reset))).toBe(
      '400 password_reset_error',
    );
    expect(await isPassword(user, GOOD)).toBe(false);
    expect(await readSessions(user.id)).toEqual([]);
    expect((await call<{ data: unknown[] }>('GET', `${USERS}/${user.id}/auth_factors`)).body.data).toEqual([]);
    expect((await call<User>('GET', `${USERS}/${user.id}`)).body.email_verified).toBe(true);
  });

  test('keeps the credentials that the caller excludes', async () => {
    const user = await newUser({ password: GOOD });
    await link(user, '1');
    const own = await link(user, '2');
    await prove(user, { password: true, identities: own });
    expect(await isPassword(user, GOOD)).toBe(true);
    expect(await linked(user)).toMatchObject([{ idp_id: '2' }]);
  });

  test('changes nothing for a user whose address is already verified', async () => {
    const user = await newUser({ password: GOOD, email_verified: true });
    await addSession(user.id);
    await prove(user);
    expect(await isPassword(user, GOOD)).toBe(true);
    expect(await readSessions(user.id)).toHaveLength(1);
    expect(await readEvents('user.updated')).toEqual([]);
  });
});
