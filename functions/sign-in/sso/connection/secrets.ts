import { envelopes } from '../../../kernel/keys/shared.ts';
import type { ConnectionRecord } from './entity.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

/** The encrypted part of a connection, with private keys as PKCS #8 in PEM. */
export interface ConnectionSecrets {
  clientSecret?: string | undefined;
  /** The key that signs client assertions (`private_key_jwt`). */
  jwtKey?: string | undefined;
  spSigningKey?: string | undefined;
  /** The keys that decrypt assertions, by the id of their certificate. */
  spEncryptionKeys?: Readonly<Record<string, string>> | undefined;
}

type Owner = Pick<ConnectionRecord, 'environmentId' | 'organizationId' | 'id'>;

const makeScope = ({ environmentId, organizationId }: Owner) => ({
  environmentId,
  organizationId,
  purpose: keyPurpose('sso-connection'),
});

/** Encrypts the secrets of a connection, bound to its environment, organization and id; undefined if there are none. */
export async function sealConnection(owner: Owner, secrets: ConnectionSecrets): Promise<Uint8Array | undefined> {
  const { spEncryptionKeys = {}, ...single } = secrets;
  const keys = [...Object.values(single), ...Object.values(spEncryptionKeys)];
  return keys.every((key) => key === undefined)
    ? undefined
    : envelopes().seal(makeScope(owner), owner.id, JSON.stringify(secrets));
}

/** Decrypts the secrets of a connection, with at most one KMS request in a minute. */
export async function openConnection(record: ConnectionRecord): Promise<ConnectionSecrets> {
  if (record.sealed === undefined) return {};
  const opened = await envelopes().openText(makeScope(record), record.id, record.sealed as Uint8Array);
  return JSON.parse(opened) as ConnectionSecrets;
}
