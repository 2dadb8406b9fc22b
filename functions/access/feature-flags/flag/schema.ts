import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import type { FlagRecord } from './entity.ts';

const FlagOwner = z.object({
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
});

export const Flag = z
  .object({
    object: z.literal('feature_flag'),
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    owner: FlagOwner.nullable(),
    tags: z.array(z.string()),
    enabled: z.boolean(),
    default_value: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Flag' });

export const FlagList = listSchema(Flag).meta({ id: 'FlagList' });

export const ListFlags = z.object(pageMembers('flag', 'normal'));
export const ListFlagsOfOrganization = z.object(pageMembers('flag'));
export const ListFlagsOfUser = z.object(pageMembers('flag', 'desc'));

const slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'Expected lower-case letters, digits, ".", "_" and "-", a letter or digit first')
  .describe('The slug, which is unique in the environment and never changes.')
  .meta({ example: 'advanced-analytics' });
const name = z.string().trim().min(1).max(128);
const description = z.string().trim().max(512).nullable();
const person = z.string().trim().min(1).max(128).nullable().default(null);
const owner = z
  .object({
    email: z.email().max(254).describe('The email address of the person.'),
    first_name: person,
    last_name: person,
  })
  .nullable()
  .describe('The person responsible for the flag, for information only.');
const tags = z
  .array(z.string().trim().min(1).max(64))
  .max(20)
  .transform((given) => [...new Set(given)]);
const defaultValue = z
  .boolean()
  .describe('Whether the flag is on for users and organizations that are not its targets.');

export const CreateFlag = z
  .object({
    slug,
    name: name.optional().describe('The name. Default: the slug.'),
    description: description.optional(),
    owner: owner.optional(),
    tags: tags.optional(),
    enabled: z
      .boolean()
      .optional()
      .describe('Whether the flag is enabled; if not, it is off for everyone. Default: false.'),
    default_value: defaultValue.optional(),
  })
  .meta({ id: 'CreateFeatureFlagDto' });

export const UpdateFlag = z
  .object({
    name: name.optional(),
    description: description.optional(),
    owner: owner.optional(),
    tags: tags.optional(),
    default_value: defaultValue.optional(),
  })
  .meta({ id: 'UpdateFeatureFlagDto' });

/** A stored flag as callers see it. */
export const presentFlag = (record: FlagRecord): z.output<typeof Flag> => ({
  object: 'feature_flag',
  id: record.id,
  slug: record.slug,
  name: record.name,
  description: record.description ?? null,
  owner: (record.contact as z.output<typeof FlagOwner> | undefined) ?? null,
  tags: record.tags as string[],
  enabled: record.enabled,
  default_value: record.defaultValue,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** A stored flag as events contain it. */
export const flagPayload = (record: FlagRecord): z.output<typeof Flag> & { environment_id: string } => ({
  ...presentFlag(record),
  environment_id: record.environmentId,
});
