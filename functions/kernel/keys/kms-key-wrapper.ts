import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { KeyRefused, KeyServiceUnavailable, SealedValueError } from './errors.ts';
import type { DataKey, KeyScope, KeyWrapper } from './key-wrapper.ts';

/** Where data keys come from: a KMS key, named by id, ARN or alias. */
export interface KmsKey {
  kms: Pick<KMSClient, 'send'>;
  keyId: string;
}

/** KMS's answers about a ciphertext that it did not make, or not under this key and context. */
const unreadable: ReadonlySet<string> = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);

/** KMS's answers about a key that may not be used, now or any more. */
const refused: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'DisabledException',
  'InvalidArnException',
  'InvalidGrantTokenException',
  'InvalidKeyUsageException',
  'KMSInvalidStateException',
  'NotFoundException',
]);

/** Answers below 500 that pass by themselves. */
const passing: ReadonlySet<string> = new Set([
  'DependencyTimeoutException',
  'KeyUnavailableException',
  'LimitExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TooManyRequestsException',
]);

/** Data keys from KMS, each bound to its scope by the encryption context; one KMS request a call. */
export function kmsKeyWrapper({ kms, keyId }: KmsKey): KeyWrapper {
  return {
    async generate(scope): Promise<DataKey> {
      const context = encryptionContext(scope);
      const command = new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: context });
      const { Plaintext, CiphertextBlob } = await kms.send(command).catch(rethrowKmsError);
      if (!Plaintext || !CiphertextBlob) throw new KeyServiceUnavailable(new Error('an answer without a key'));
      return { plaintext: Plaintext, wrapped: CiphertextBlob };
    },
    async unwrap(scope, wrapped): Promise<Uint8Array> {
      const context = encryptionContext(scope);
      // The key is named, so that a blob made under somebody else's key is refused instead of opened.
      const command = new DecryptCommand({ KeyId: keyId, CiphertextBlob: wrapped, EncryptionContext: context });
      const { Plaintext } = await kms.send(command).catch(rethrowKmsError);
      if (!Plaintext) throw new KeyServiceUnavailable(new Error('an answer without a key'));
      return Plaintext;
    },
  };
}

function encryptionContext({ environmentId, organizationId, purpose }: KeyScope): Record<string, string> {
  const organization = organizationId === undefined ? {} : { organization_id: organizationId };
  return { environment_id: environmentId, ...organization, purpose };
}

/**
 * Throws what KMS's error means here.
 * @throws SealedValueError, KeyRefused, KeyServiceUnavailable; an error of another kind as it is
 */
export function rethrowKmsError(error: unknown): never {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (unreadable.has(name)) throw new SealedValueError(error);
  if (refused.has(name)) throw new KeyRefused(error);
  // Without a status nothing was answered: no connection, a time-out.
  const status = $metadata?.httpStatusCode ?? 500;
  if (passing.has(name) || status >= 500 || status === 429) throw new KeyServiceUnavailable(error);
  throw error;
}
