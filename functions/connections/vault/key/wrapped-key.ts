import { DecryptCommand, GenerateDataKeyCommand, ReEncryptCommand } from '@aws-sdk/client-kms';

import { clock } from '../../../kernel/clock.ts';
import { createEnvelopes, type Envelopes } from '../../../kernel/keys/envelopes.ts';
import { KeyServiceUnavailable, SealedValueError } from '../../../kernel/keys/errors.ts';
import { type DataKey, type KeyScope, sortedPairs } from '../../../kernel/keys/key-wrapper.ts';
import { rethrowKmsError } from '../../../kernel/keys/kms-key-wrapper.ts';
import { type LivingKey, openUnder, sealUnder } from '../../../kernel/keys/organization-keys.ts';
import { kmsClient } from '../../../kernel/keys/shared.ts';
import { settings } from '../../../kernel/settings.ts';
import { type Context, isRoot } from './rules.ts';

/** The scope of a data key of the vault, and the keys that protect it. */
export interface VaultScope extends KeyScope {
  purpose: 'vault-object' | 'vault-data-key';
  context: Context;
  /** The KMS key that wraps it: an ARN, or the id of a multi-region key; empty for the stage's own. */
  root: string;
  /** For a context with an organization: that organization's key, from its row as it was just read. */
  organizationKey?: LivingKey;
}

const format = 1;
const rootAt = 4;

/**
 * A data key as it is stored: wrapped by KMS under the whole context, and, if the context names an organization,
 * encrypted again under that organization's own key. So KMS can move it to another context without revealing it, a
 * customer's KMS key can withdraw it, and destroying the organization's key makes it unreadable.
 *
 * | Offset | Bytes | What                                                                                        |
 * |--------|-------|---------------------------------------------------------------------------------------------|
 * | 0      | 1     | format, 1                                                                                   |
 * | 1      | 1     | 1 where it is sealed under an organization's key, else 0                                    |
 * | 2      | 2     | r, length of the root, big-endian; 0 for the stage's own key                                |
 * | 4      | r     | the root                                                                                    |
 * | 4 + r  | n     | KMS's ciphertext; under an organization's key: nonce, AES-256-GCM of it, tag, with all before and the scope as additional data |
 */
async function layered(scope: VaultScope, root: string, kmsCiphertext: Uint8Array): Promise<Uint8Array> {
  const place = makeCacheKey(scope);
  const header = readHeader(root, place !== undefined);
  const body = place === undefined ? kmsCiphertext : await sealUnder(place, additional(header, scope), kmsCiphertext);
  return Buffer.concat([header, body]);
}

/**
 * Decodes a stored data key.
 * @throws SealedValueError if it is not a data key of this scope
 */
async function unlayered(scope: VaultScope, wrapped: Uint8Array): Promise<{ root: string; kmsCiphertext: Uint8Array }> {
  const { header, root, body } = parse(wrapped);
  const place = makeCacheKey(scope);
  // The scope decides whether there is a second layer: a forged blob cannot skip it.
  if (header[1] !== (place === undefined ? 0 : 1)) throw new SealedValueError();
  return { root, kmsCiphertext: place === undefined ? body : await openUnder(place, additional(header, scope), body) };
}

function parse(wrapped: Uint8Array): { header: Buffer; root: string; body: Buffer } {
  const bytes = Buffer.from(wrapped.buffer, wrapped.byteOffset, wrapped.byteLength);
  if (bytes.length <= rootAt || bytes[0] !== format) throw new SealedValueError();
  const end = rootAt + bytes.readUInt16BE(2);
  const root = bytes.toString('utf8', rootAt, end);
  if (end >= bytes.length || (root !== '' && !isRoot(root))) throw new SealedValueError();
  return { header: bytes.subarray(0, end), root, body: bytes.subarray(end) };
}

/**
 * The KMS key that a wrapped data key names as its wrapping key; empty for the stage's own.
 * @throws SealedValueError
 */
export const readRoot = (wrapped: Uint8Array): string => parse(wrapped).root;

function readHeader(root: string, isLayered: boolean): Buffer {
  const name = Buffer.from(root);
  const header = Buffer.from([format, isLayered ? 1 : 0, 0, 0]);
  header.writeUInt16BE(name.length, 2);
  return Buffer.concat([header, name]);
}

function makeCacheKey({ environmentId, organizationId, organizationKey }: VaultScope) {
  if (organizationId === undefined) return undefined;
  if (organizationKey === undefined) throw new Error('a scope with an organization needs its key');
  return { environmentId, organizationId, key: organizationKey };
}

const additional = (header: Uint8Array, { environmentId, organizationId, purpose, context }: VaultScope): Buffer =>
  Buffer.concat([
    header,
    Buffer.from(JSON.stringify([environmentId, organizationId ?? null, purpose, sortedPairs(context)])),
  ]);

/** The encryption context of a data key: the caller's entries by their own names, the service's under reserved names. */
const encryptionContext = ({ environmentId, purpose, context }: VaultScope): Record<string, string> => ({
  ...context,
  'gatehouse:environment': environmentId,
  'gatehouse:purpose': purpose,
});

/** Maximum time in ms until KMS applies the tags of a new key, by which the functions may use it. */
const TAGS_APPLY_MS = 5 * 60_000;

/**
 * Rethrows an error of KMS. KMS may deny access to the new key of an organization for minutes. That ends without any
 * action, so the key does not count as withdrawn.
 */
const rethrowAs =
  ({ organizationKey }: VaultScope, root: string) =>
  (error: unknown): never => {
    const isOwn = root !== '' && organizationKey?.kmsKeyId === root;
    const isNew = isOwn && clock.now() - Date.parse(organizationKey.createdAt ?? '') < TAGS_APPLY_MS;
    const { name } = error as Error;
    if (isNew && (name === 'AccessDeniedException' || name === 'NotFoundException'))
      throw new KeyServiceUnavailable(error);
    rethrowKmsError(error);
  };

const readKmsKey = (root: string): string => (root === '' ? settings().GATEHOUSE_KMS_KEY : root);

/** Makes a data key, by one KMS request, or two if the organization's key is not cached. */
export async function generateKey(scope: VaultScope): Promise<DataKey> {
  const command = new GenerateDataKeyCommand({
    KeyId: readKmsKey(scope.root),
    KeySpec: 'AES_256',
    EncryptionContext: encryptionContext(scope),
  });
  const { Plaintext, CiphertextBlob } = await kmsClient().send(command).catch(rethrowAs(scope, scope.root));
  if (!Plaintext || !CiphertextBlob) throw new KeyServiceUnavailable(new Error('a response without a key'));
  return { plaintext: Plaintext, wrapped: await layered(scope, scope.root, CiphertextBlob) };
}

/**
 * Decrypts a data key.
 * @throws SealedValueError when it does not belong to the scope; KeyRejected, KeyServiceUnavailable
 */
export async function unwrapKey(scope: VaultScope, wrapped: Uint8Array): Promise<Uint8Array> {
  const { root, kmsCiphertext } = await unlayered(scope, wrapped);
  const command = new DecryptCommand({
    KeyId: readKmsKey(root),
    CiphertextBlob: kmsCiphertext,
    EncryptionContext: encryptionContext(scope),
  });
  const { Plaintext } = await kmsClient().send(command).catch(rethrowAs(scope, root));
  if (!Plaintext) throw new KeyServiceUnavailable(new Error('a response without a key'));
  return Plaintext;
}

/**
 * Moves a data key to another scope. KMS does it (ReEncrypt), so the service does not see the key.
 * @throws SealedValueError when it does not belong to its former scope; KeyRejected, KeyServiceUnavailable
 */
export async function moveKey(from: VaultScope, wrapped: Uint8Array, to: VaultScope): Promise<Uint8Array> {
  const { root, kmsCiphertext } = await unlayered(from, wrapped);
  const command = new ReEncryptCommand({
    SourceKeyId: readKmsKey(root),
    CiphertextBlob: kmsCiphertext,
    SourceEncryptionContext: encryptionContext(from),
    DestinationKeyId: readKmsKey(to.root),
    DestinationEncryptionContext: encryptionContext(to),
  });
  const { CiphertextBlob } = await kmsClient().send(command).catch(rethrowAs(to, to.root));
  if (!CiphertextBlob) throw new KeyServiceUnavailable(new Error('a response without a key'));
  return layered(to, to.root, CiphertextBlob);
}

/**
 * Tries every action with a KMS key that the vault will need: makes a data key, moves it, decrypts it.
 * @throws KeyRejected if an action is not permitted; KeyServiceUnavailable
 */
export async function tryKey(scope: VaultScope): Promise<void> {
  const { plaintext, wrapped } = await generateKey(scope);
  plaintext.fill(0);
  (await unwrapKey(scope, await moveKey(scope, wrapped, scope))).fill(0);
}

/**
 * The envelopes of vault objects: values encrypted with a data key of their context, which is cached for 60 seconds. So the
 * withdrawal of a customer's key takes effect within 60 seconds; the destruction of an organization's key is checked at
 * each read.
 */
export const objectEnvelopes: Envelopes<VaultScope> = createEnvelopes<VaultScope>({
  wrapper: { generate: generateKey, unwrap: unwrapKey },
  now: clock.now,
});
