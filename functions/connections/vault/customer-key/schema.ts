import * as z from 'zod';

import { timestamp } from '../../../kernel/values.ts';
import { KMS_KEY_ARN } from '../key/rules.ts';
import { vaultListSchema, vaultPageMembers } from '../object/schema.ts';
import type { CustomerKeyRecord } from './entity.ts';

const contextEntry = z
  .object({
    name: z.string().min(1).max(200).describe('The name of the entry, such as `organization_id`.'),
    value: z.string().min(1).max(500).describe('The value of the entry, compared exactly.'),
  })
  .meta({ id: 'VaultContextEntry' });

const keyArn = z
  .string()
  .regex(KMS_KEY_ARN, 'must be the ARN of a KMS key, such as arn:aws:kms:eu-west-1:111122223333:key/…');

export const PutCustomerKey = z
  .object({
    context_entry: contextEntry.describe(
      'The entry of contexts whose values are encrypted under the key of the customer.',
    ),
    key_arn: keyArn,
  })
  .meta({ id: 'PutVaultCustomerKey' });

export const CustomerKey = z
  .object({
    object: z.literal('vault_customer_key'),
    id: z.string(),
    context_entry: contextEntry,
    key_arn: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'VaultCustomerKey' });

export const CustomerKeyList = vaultListSchema(CustomerKey).meta({ id: 'VaultCustomerKeyList' });

export const ListCustomerKeys = z.object({
  ...vaultPageMembers((text) => /^customer_key_[0-9a-f]{40}$/.test(text)),
  organization_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Selects the mapping of the context entry `organization_id` with this value.'),
});

export const VaultSettings = z
  .object({
    /** `dedicated` gives each organization a KMS key of its own; organizations that have a key keep theirs. */
    organization_keys: z
      .enum(['shared', 'dedicated'])
      .describe(
        'Whether organizations share a KMS key, or each one that uses the vault for the first time after the change gets its own.',
      ),
  })
  .meta({ id: 'VaultSettings' });

/** A stored mapping as callers see it. */
export const presentCustomerKey = (record: CustomerKeyRecord): z.input<typeof CustomerKey> => ({
  object: 'vault_customer_key',
  id: record.id,
  context_entry: { name: record.entryName, value: record.entryValue },
  key_arn: record.keyArn,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});
