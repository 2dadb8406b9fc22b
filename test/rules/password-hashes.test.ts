import { createHash } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';

import { hashOwn, isCurrent } from '../../functions/proofs/modules/credentials/password/hash/argon2.ts';
import type { PasswordHashType } from '../../functions/proofs/modules/credentials/password/hash/hash.ts';
import { decoyLike } from '../../functions/proofs/modules/credentials/password/hash/decoy.ts';
import { readImportedHash, readPasswordHash } from '../../functions/proofs/modules/credentials/password/hash/read.ts';

interface Vector {
  source: string;
  type: PasswordHashType;
  password: string;
  hash: string;
}

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64').replace(/=+$/, '');

const RFC_7914_SCRYPT =
  '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887';
const RFC_7914_PBKDF2 = '4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56';
/** The example in the README of github.com/firebase/scrypt. */
const FIREBASE = {
  hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  salt: '42xEC+ixf3L2lw==',
  sk: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  ss: 'Bw==',
};

const vectors: readonly Vector[] = [
  {
    source: 'wrapper.c of crypt_blowfish',
    type: 'bcrypt',
    password: 'U*U',
    hash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  },
  {
    source: 'wrapper.c of crypt_blowfish: 72 bytes count',
    type: 'bcrypt',
    password: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored',
    hash: '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui',
  },
  {
    source: 'TestBCrypt.java of jBCrypt',
    type: 'bcrypt',
    password: 'abc',
    hash: '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i',
  },
  {
    source: 'handler_test.go of Ory Kratos',
    type: 'bcrypt',
    password: '123456',
    hash: '$2a$10$ZsCsoVQ3xfBG/K2z2XpBf.tm90GZmtOqtqWcB5.pYd5Eq8y7RlDyq',
  },
  {
    source: 'src/test.c of the reference implementation (phc-winner-argon2)',
    type: 'argon2',
    password: 'password',
    hash: '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  },
  {
    source: 'src/test.c of the reference implementation (phc-winner-argon2)',
    type: 'argon2',
    password: 'password',
    hash: '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA',
  },
  {
    source: 'Passlib, in decode_test.go of go-crypt/crypt',
    type: 'argon2',
    password: 'apple123',
    hash: '$argon2d$v=19$m=65536,t=4,p=4$PUfIWctZa611rpXSOicEAA$eUtgGpyO1+ylLPGhN8gvRXBXF+Zd97kQIZA7OgX4VIM',
  },
  {
    source: 'RFC 7914 section 12',
    type: 'scrypt',
    password: 'pleaseletmein',
    hash: `$scrypt$v=1$n=16384,r=8,p=1,kl=64$${base64(Buffer.from('SodiumChloride').toString('hex'))}$${base64(RFC_7914_SCRYPT)}`,
  },
  {
    source: 'RFC 7914 section 12, parameters in another order, without v and kl',
    type: 'scrypt',
    password: 'pleaseletmein',
    hash: `$scrypt$p=1,r=8,n=16384$${base64(Buffer.from('SodiumChloride').toString('hex'))}==$${base64(RFC_7914_SCRYPT)}==`,
  },
  {
    source: 'Passlib, in decode_test.go of go-crypt/crypt',
    type: 'scrypt',
    password: 'apple123',
    hash: '$scrypt$ln=15,r=8,p=1$m7M2BqBUytk75zznfK91jg$F11VwAGrQanCaexGVmBafSbTs1X2l165eyb+m8uN/mg',
  },
  {
    source: 'handler_test.go of Ory Kratos, whose ln is N',
    type: 'scrypt',
    password: '123456',
    hash: '$scrypt$ln=16384,r=8,p=1$ZtQva9xCHzlSELH/mA7Kj5KjH2tCrkbwYzdxknkL0QQ=$pnTcXKaWVT+FwFDdk3vO1K0J7ZgOxdSU1tCJNYmn8zI=',
  },
  {
    source: 'README of firebase/scrypt',
    type: 'firebase-scrypt',
    password: 'user1password',
    hash: `$firebase-scrypt$hash=${FIREBASE.hash}$salt=${FIREBASE.salt}$sk=${FIREBASE.sk}$ss=${FIREBASE.ss}$r=8$m=14`,
  },
  {
    source: 'README of firebase/scrypt, parts in another order',
    type: 'firebase-scrypt',
    password: 'user1password',
    hash: `$firebase-scrypt$m=14$r=8$ss=${FIREBASE.ss}$sk=${FIREBASE.sk}$salt=${FIREBASE.salt}$hash=${FIREBASE.hash}`,
  },
  {
    source: 'RFC 7914 section 11',
    type: 'pbkdf2',
    password: 'Password',
    hash: `$pbkdf2$i=80000,d=sha256$${base64(Buffer.from('NaCl').toString('hex'))}$${base64(RFC_7914_PBKDF2)}`,
  },
  {
    source: 'RFC 7914 section 11, the other spelling',
    type: 'pbkdf2',
    password: 'Password',
    hash: `$pbkdf2-sha256$l=32,i=80000$${base64(Buffer.from('NaCl').toString('hex'))}$${base64(RFC_7914_PBKDF2)}`,
  },
  {
    source: 'documentation of Passlib',
    type: 'pbkdf2',
    password: 'password',
    hash: '$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44',
  },
  {
    source: 'Passlib, in decode_test.go of go-crypt/crypt',
    type: 'pbkdf2',
    password: 'apple123',
    hash: '$pbkdf2-sha512$25000$VSolZMy59z4HgPDeWwuBMA$2Ioxz6Zr1jutEYWnFm3X6eIH4TostlklSy4WVWgCQseZuI3LPnw87xJokXj.M1pvobVk1/8NGwGiIvfJuWm63A',
  },
  {
    source: 'handler_test.go of Ory Kratos, whose l is in bits',
    type: 'pbkdf2',
    password: '123456',
    hash: '$pbkdf2-sha256$i=1000,l=128$e8/arsEf4cvQihdNgqj0Nw$5xQQKNTyeTHx2Ld5/JDE7A',
  },
  {
    source: 'documentation of Passlib (ldap_salted_sha1), from OpenLDAP',
    type: 'ssha',
    password: 'testing123',
    hash: '{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr',
  },
  {
    source: 'handler_test.go of Ory Kratos',
    type: 'ssha',
    password: 'test123',
    hash: '{SSHA}JFZFs0oHzxbMwkSJmYVeI8MnTDy/276a',
  },
  {
    source: 'handler_test.go of Ory Kratos, without the tag',
    type: 'ssha256',
    password: 'test123',
    hash: 'czO44OTV17PcF1cRxWrLZLy9xHd7CWyVYplr1rOhuMlx/7IK',
  },
  {
    source: 'handler_test.go of Ory Kratos',
    type: 'ssha256',
    password: 'test123',
    hash: '{SSHA256}czO44OTV17PcF1cRxWrLZLy9xHd7CWyVYplr1rOhuMlx/7IK',
  },
];

describe('imported password hashes', () => {
  for (const { source, type, password, hash } of vectors) {
    test(`verifies ${type} as published: ${source}`, async () => {
      const read = readPasswordHash(type, hash);
      expect(await read.verify(password)).toBe(true);
      expect(await read.verify(`x${password}`)).toBe(false);
      expect(await read.verify('')).toBe(false);
    });
  }

  test('verifies ssha256 whose salt is before the password, if the import declares that', async () => {
    const salt = Buffer.from('pepper');
    const digest = createHash('sha256')
      .update(Buffer.concat([salt, Buffer.from('tangled violins')]))
      .digest();
    const hash = `{SSHA256}${Buffer.concat([digest, salt]).toString('base64')}`;
    expect(await readPasswordHash('ssha256', hash, 'prefix').verify('tangled violins')).toBe(true);
    expect(await readPasswordHash('ssha256', hash).verify('tangled violins')).toBe(false);
  });

  test('of bcrypt are accepted up to a cost of 12, since a higher cost would block the function', () => {
    const costing = (cost: string): string => `$2b$${cost}$${'a'.repeat(53)}`;
    expect(() => readImportedHash('bcrypt', costing('13'))).toThrow(/cost must be 4 to 12/);
    expect(() => readImportedHash('bcrypt', costing('12'))).not.toThrow();
    // A hash that is stored already can still be verified, but its cost is not imitated for other users.
    expect(() => readPasswordHash('bcrypt', costing('14'))).not.toThrow();
    expect(decoyLike('bcrypt', costing('14'))).toBe(`$2b$12$${'C'.repeat(53)}`);
    expect(decoyLike('bcrypt', costing('09'))).toBe(`$2b$09$${'C'.repeat(53)}`);
  });

  test('are rejected out of bounds, so that no import can block the service', () => {
    const salt = 'c2FsdHNhbHRzYWx0c2FsdA';
    const tag = 'A'.repeat(43);
    const invalidHashes: [PasswordHashType, string][] = [
      ['bcrypt', `$2b$15$${'a'.repeat(53)}`],
      ['bcrypt', `$2b$03$${'a'.repeat(53)}`],
      ['argon2', `$argon2id$v=19$m=2097152,t=1,p=1$${salt}$${tag}`],
      ['argon2', `$argon2id$v=19$m=65536,t=2,p=1,data=${'A'.repeat(1_000)}$${salt}$${tag}`],
      ['argon2', `$argon2id$v=19$m=262144,t=1,p=1$${salt}$${tag}`],
      ['argon2', `$argon2id$v=19$m=8,t=1,p=2$${salt}$${tag}`],
      ['argon2', `$argon2id$v=19$m=65536,t=60,p=1$${salt}$${tag}`],
      ['argon2', `$argon2id$v=19$m=65536,t=2,p=64$${salt}$${tag}`],
      ['scrypt', `$scrypt$n=1048576,r=8,p=1$${salt}$${tag}`],
      ['scrypt', `$scrypt$n=262144,r=8,p=1$${salt}$${tag}`],
      ['scrypt', `$scrypt$n=131072,r=8,p=16$${salt}$${tag}`],
      ['scrypt', `$scrypt$ln=99999999,r=8,p=1$${salt}$${tag}`],
      ['scrypt', `$scrypt$ln=16,r=1,p=1$${salt}$${tag}`],
      ['firebase-scrypt', `$firebase-scrypt$hash=${tag}$salt=${salt}$sk=${tag}$ss=Bw==$r=1$m=16`],
      ['firebase-scrypt', `$firebase-scrypt$hash=${tag}$salt=${salt}$sk=${tag}$ss=Bw==$r=8$m=20`],
      ['pbkdf2', `$pbkdf2-sha256$99999999$${salt}$${tag}`],
      ['pbkdf2', `$pbkdf2-sha256$1000$${salt}$${'A'.repeat(120)}`],
      ['ssha', `{SSHA}${'A'.repeat(1_100)}`],
    ];
    for (const [type, hash] of invalidHashes)
      expect(() => readPasswordHash(type, hash)).toThrow(/must be|at most|ask for|more than/);
  });

  test('are rejected when they are malformed or do not match the named type', () => {
    const salt = 'c2FsdHNhbHRzYWx0c2FsdA';
    const tag = 'A'.repeat(43);
    const malformed: [PasswordHashType, string][] = [
      ['bcrypt', ''],
      ['bcrypt', '$2b$10$tooshort'],
      ['bcrypt', `$2x$10$${'a'.repeat(53)}`],
      ['argon2', `$argon2id$m=65536,t=2,p=1$${salt}$${tag}`],
      ['argon2', `$argon2id$v=16$m=65536,t=2,p=1$${salt}$${tag}`],
      ['argon2', `$argon2id$v=19$m=65536,t=2,p=1$${salt}$not base64!`],
      ['argon2', `$argon2id$v=19$m=65536,m=8,t=2,p=1$${salt}$${tag}`],
      ['argon2', `$argon2id$v=19$m=-1,t=2,p=1$${salt}$${tag}`],
      ['argon2', `$argon2id$v=19$m=65536,t=2,p=1$${salt}$AAAA`],
      ['scrypt', `$scrypt$n=16383,r=8,p=1$${salt}$${tag}`],
      ['scrypt', `$scrypt$n=16384,r=8,p=1,kl=64$${salt}$${tag}`],
      ['scrypt', `$scrypt$n=16384,r=8,p=1$${salt}$AAAA`],
      ['firebase-scrypt', `$scrypt$n=16384,r=8,p=1$${salt}$${tag}`],
      ['firebase-scrypt', `$firebase-scrypt$hash=${tag}$salt=${salt}$sk=$ss=Bw==$r=8$m=14`],
      ['pbkdf2', `$pbkdf2$i=1000,d=md5$${salt}$${tag}`],
      ['pbkdf2', `$pbkdf2$i=1000$${salt}$${tag}`],
      ['pbkdf2', `$pbkdf2-sha256$1000$${salt}$AAAA`],
      ['pbkdf2', `$pbkdf2-sha256$i=1000,l=20$${salt}$${tag}`],
      ['ssha', '{SSHA}AAAA'],
      ['ssha', `{SSHA}${'A'.repeat(27)}`],
      ['ssha256', '{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr'],
    ];
    for (const [type, hash] of malformed) expect(() => readPasswordHash(type, hash)).toThrow();
  });
});

describe('own password hashes', () => {
  test('are argon2id with 19 MiB, two passes and a random salt', async () => {
    const [one, other] = await Promise.all([hashOwn('tangled violins'), hashOwn('tangled violins')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    expect(isCurrent(one)).toBe(true);
    expect(await readPasswordHash('argon2', one).verify('tangled violins')).toBe(true);
    expect(await readPasswordHash('argon2', one).verify('tangled violin')).toBe(false);
  });
});
