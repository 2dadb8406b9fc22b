import type * as sdk from '@aws-sdk/client-kms';

import { AwsCommand, type CommandClient, commandClient } from '../aws/command.ts';

/** A client of KMS. */
export type KmsClient = CommandClient;

/** Makes a client of KMS. @param maxAttempts Maximum number of attempts of a call */
export const makeKmsClient = (maxAttempts: number): KmsClient =>
  commandClient({
    service: { variable: 'KMS', name: 'kms', target: 'TrentService', contentType: 'application/x-amz-json-1.1' },
    maxAttempts,
  });

/** The members of responses that are bytes, which the protocol writes in base64. */
const BYTES = ['Plaintext', 'CiphertextBlob', 'Signature', 'PublicKey'] as const;

/** A call of KMS. */
abstract class KmsCommand<Input extends object, Output> extends AwsCommand<Input, Output> {
  override encode(): object {
    const members = Object.entries(this.input).map(([name, value]: [string, unknown]) =>
      value instanceof Uint8Array ? [name, Buffer.from(value).toString('base64')] : [name, value],
    );
    return Object.fromEntries(members) as object;
  }

  override decode(body: Record<string, unknown>): Output {
    for (const name of BYTES) {
      const text = body[name];
      if (typeof text === 'string') body[name] = new Uint8Array(Buffer.from(text, 'base64'));
    }
    return body as Output;
  }
}

/** Makes a data key, in clear and encrypted. */
export class GenerateDataKeyCommand extends KmsCommand<
  sdk.GenerateDataKeyCommandInput,
  sdk.GenerateDataKeyCommandOutput
> {
  readonly operation = 'GenerateDataKey';
}

/** Decrypts a data key. */
export class DecryptCommand extends KmsCommand<sdk.DecryptCommandInput, sdk.DecryptCommandOutput> {
  readonly operation = 'Decrypt';
}

/** Decrypts a data key and encrypts it under another key, within KMS. */
export class ReEncryptCommand extends KmsCommand<sdk.ReEncryptCommandInput, sdk.ReEncryptCommandOutput> {
  readonly operation = 'ReEncrypt';
}

/** Makes a key. */
export class CreateKeyCommand extends KmsCommand<sdk.CreateKeyCommandInput, sdk.CreateKeyCommandOutput> {
  readonly operation = 'CreateKey';
}

/** Deletes a key after a waiting time. */
export class ScheduleKeyDeletionCommand extends KmsCommand<
  sdk.ScheduleKeyDeletionCommandInput,
  sdk.ScheduleKeyDeletionCommandOutput
> {
  readonly operation = 'ScheduleKeyDeletion';
}

/** Signs a message. */
export class SignCommand extends KmsCommand<sdk.SignCommandInput, sdk.SignCommandOutput> {
  readonly operation = 'Sign';
}

/** Reads the public key of a signing key. */
export class GetPublicKeyCommand extends KmsCommand<sdk.GetPublicKeyCommandInput, sdk.GetPublicKeyCommandOutput> {
  readonly operation = 'GetPublicKey';
}
