import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';

import { clientOptions } from '../aws-requests.ts';
import { perSettings } from '../settings.ts';
import { KeyServiceUnavailable } from './errors.ts';

/** A signing key that cannot be exported from KMS. */
export interface Signer {
  /**
   * Signs a message by ECDSA on P-256 with SHA-256 (FIPS 186-5), DER-encoded, with one KMS request.
   * @param message at most 4,096 bytes, the limit of KMS
   */
  sign(message: string): Promise<Uint8Array>;
  /** The public key as PEM (RFC 7468 section 13), which is requested once. */
  publicKey(): Promise<string>;
}

/** Signs with a KMS key of the spec ECC_NIST_P256. */
function kmsSigner(kms: Pick<KMSClient, 'send'>, keyId: string): Signer {
  let pem: string | undefined;
  return {
    async sign(message) {
      const { Signature } = await kms.send(
        new SignCommand({
          KeyId: keyId,
          Message: Buffer.from(message),
          MessageType: 'RAW',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      );
      if (Signature === undefined) throw new KeyServiceUnavailable(new Error('a response without a signature'));
      return Signature;
    },
    async publicKey() {
      if (pem !== undefined) return pem;
      const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
      if (PublicKey === undefined) throw new KeyServiceUnavailable(new Error('a response without a key'));
      const lines =
        Buffer.from(PublicKey)
          .toString('base64')
          .match(/.{1,64}/g) ?? [];
      pem = ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\n');
      return pem;
    },
  };
}

/** The signer of audit log seals and receipts, with the stage's evidence key. */
export const evidenceSigner = perSettings((current): Signer => {
  const kms = new KMSClient({ maxAttempts: 3, ...clientOptions() });
  return kmsSigner(kms, current.GATEHOUSE_EVIDENCE_KEY);
});
