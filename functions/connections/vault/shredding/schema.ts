import * as z from 'zod';

import { timestamp } from '../../../kernel/values.ts';
import { vaultListSchema, vaultPageMembers } from '../object/schema.ts';
import type { ShreddingRecord } from './entity.ts';

export const Receipt = z
  .object({
    object: z.literal('vault_key_destruction'),
    organization_id: z.string(),
    key_id: z.string(),
    destroyed_at: timestamp,
    /** The state, which is `pending` until all caches have expired: two to three minutes. */
    state: z.enum(['pending', 'signed']),
    /** The exact text that is signed. */
    statement: z.string().nullable(),
    /** ECDSA on P-256 over the SHA-256 of the statement, DER in base64. */
    signature: z.string().nullable(),
    algorithm: z.literal('ECDSA_SHA_256'),
    /** The public key in PEM, to be compared with an earlier response of GET /x/vault/signing_key. */
    public_key: z.string().nullable(),
    signed_at: timestamp.nullable(),
  })
  .meta({ id: 'VaultKeyDestruction' });

export const ReceiptList = vaultListSchema(Receipt).meta({ id: 'VaultKeyDestructionList' });

export const ListReceipts = z.object(vaultPageMembers((text) => text !== ''));

export const SigningKey = z
  .object({
    algorithm: z.literal('ECDSA_SHA_256'),
    /** The public key in PEM. */
    public_key: z.string(),
    /** SHA-256 of the key's DER in hexadecimal. */
    fingerprint: z.string(),
  })
  .meta({ id: 'VaultSigningKey' });

/** A destroyed key as callers see it. */
export const presentReceipt = (record: ShreddingRecord): z.input<typeof Receipt> => ({
  object: 'vault_key_destruction',
  organization_id: record.id,
  key_id: record.keyId,
  destroyed_at: record.destroyedAt,
  state: record.signature === undefined ? 'pending' : 'signed',
  statement: record.statement ?? null,
  signature: record.signature ?? null,
  algorithm: 'ECDSA_SHA_256',
  public_key: record.publicKey ?? null,
  signed_at: record.signedAt ?? null,
});
