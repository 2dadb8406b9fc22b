import { readFileSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';

import { authenticators } from '../../../functions/proofs/passkeys/ceremony/apart.ts';
import { type Algorithm, encodeCoseKey } from '../../support/authenticator.ts';

interface Vector {
  id: number;
  comment: string;
  message: string;
  signature: string;
  valid: boolean;
}

/** Vectors of Project Wycheproof, some of each kind; bytes are in hexadecimal. */
interface Vectors {
  files: { file: string; algorithm: Algorithm; groups: { key: string[]; tests: Vector[] }[] }[];
}

const { files } = JSON.parse(readFileSync(new URL('wycheproof.json', import.meta.url), 'utf8')) as Vectors;
const fromHex = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'hex'));

describe('the signatures of Project Wycheproof', () => {
  test.each(files.map(({ file, algorithm, groups }) => [file, algorithm, groups] as const))(
    'are accepted or rejected as it says: %s',
    async (_, algorithm, groups) => {
      const seen = { valid: 0, invalid: 0 };
      for (const { key, tests } of groups) {
        const publicKey = encodeCoseKey(algorithm, key.map(fromHex)).toString('base64url');
        for (const { id, comment, message, signature, valid } of tests) {
          const isValid = await authenticators.isSignature(fromHex(signature), fromHex(message), publicKey);
          expect([id, comment, isValid]).toEqual([id, comment, valid]);
          seen[valid ? 'valid' : 'invalid'] += 1;
        }
      }
      expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(2);
    },
  );
});
