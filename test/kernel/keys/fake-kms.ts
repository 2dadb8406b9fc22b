import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';

type Context = Record<string, string> | undefined;

/** The error of the fake instead of a key. */
export interface KmsFault {
  name: string;
  $metadata?: { httpStatusCode: number };
}

/** The two operations of KMS that envelopes use, without HTTP, to count calls and to make them fail. */
export class FakeKms {
  readonly calls: { operation: string; context: Context; keyId: string | undefined }[] = [];
  fault: KmsFault | undefined;
  readonly #root = randomBytes(32);

  get client(): Pick<KMSClient, 'send'> {
    return { send: (command: unknown) => this.#send(command) };
  }

  count(operation: string): number {
    return this.calls.filter((call) => call.operation === operation).length;
  }

  async #send(command: unknown): Promise<unknown> {
    await new Promise((resolve) => setImmediate(resolve));
    if (command instanceof GenerateDataKeyCommand) {
      const { EncryptionContext, KeyId } = command.input;
      this.#record('GenerateDataKey', EncryptionContext, KeyId);
      const key = randomBytes(32);
      return { Plaintext: new Uint8Array(key), CiphertextBlob: this.#wrap(key, EncryptionContext) };
    }
    if (command instanceof DecryptCommand) {
      const { EncryptionContext, KeyId, CiphertextBlob } = command.input;
      this.#record('Decrypt', EncryptionContext, KeyId);
      return { Plaintext: this.#unwrap(CiphertextBlob ?? new Uint8Array(), EncryptionContext) };
    }
    throw new Error('not an operation of this fake');
  }

  #record(operation: string, context: Context, keyId: string | undefined): void {
    this.calls.push({ operation, context, keyId });
    if (this.fault) throw Object.assign(new Error('fault'), this.fault);
  }

  #wrap(key: Uint8Array, context: Context): Uint8Array {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#root, nonce).setAAD(Buffer.from(JSON.stringify(context)));
    return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
  }

  #unwrap(blob: Uint8Array, context: Context): Uint8Array {
    try {
      const cipher = createDecipheriv('aes-256-gcm', this.#root, blob.subarray(0, 12), { authTagLength: 16 });
      cipher.setAAD(Buffer.from(JSON.stringify(context))).setAuthTag(blob.subarray(-16));
      return new Uint8Array(Buffer.concat([cipher.update(blob.subarray(12, -16)), cipher.final()]));
    } catch {
      throw Object.assign(new Error('invalid'), {
        name: 'InvalidCiphertextException',
        $metadata: { httpStatusCode: 400 },
      });
    }
  }
}
