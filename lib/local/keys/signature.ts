import { sign } from 'node:crypto';
import * as z from 'zod';
import { blob, operation } from '../aws-json.ts';
import type { Operation } from '../aws-json.ts';
import { algorithms, derivePublicKey } from './key-spec.ts';
import type { KeyStore } from './key-store.ts';

const KeyId = z.string().min(1).max(2048);
const GrantTokens = z.array(z.string()).optional();

/** Operations of key pairs: a signature, and the public key that verifies it. */
export function signatureOperations(store: KeyStore): Record<string, Operation> {
  return {
    Sign: operation(
      z.strictObject({
        KeyId,
        Message: blob(4096),
        MessageType: z.literal('RAW').default('RAW'),
        SigningAlgorithm: z.literal('ECDSA_SHA_256'),
        GrantTokens,
      }),
      (input) => {
        const key = store.usable(store.resolve(input.KeyId), 'SIGN_VERIFY');
        const secret = { key: Buffer.from(store.material(key.id).secret), format: 'der', type: 'pkcs8' } as const;
        const signature = sign('sha256', input.Message, secret);
        return {
          KeyId: key.arn,
          Signature: signature.toString('base64'),
          SigningAlgorithm: input.SigningAlgorithm,
        };
      },
    ),
    GetPublicKey: operation(z.strictObject({ KeyId, GrantTokens }), (input) => {
      const key = store.usable(store.resolve(input.KeyId), 'SIGN_VERIFY');
      return {
        KeyId: key.arn,
        PublicKey: derivePublicKey(store.material(key.id).secret)
          .export({ format: 'der', type: 'spki' })
          .toString('base64'),
        CustomerMasterKeySpec: key.spec,
        KeySpec: key.spec,
        KeyUsage: key.usage,
        ...algorithms(key.spec),
      };
    }),
  };
}
