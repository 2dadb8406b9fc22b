import * as z from 'zod';

import { isUuid } from '../../../kernel/id-format.ts';
import { searchText } from '../../../kernel/search-text.ts';
import { isPathText, NOT_PATH_TEXT, secret, timestamp, timestampInput } from '../../../kernel/values.ts';
import { type Context, contextProblem, MAX_ENTRIES } from '../key/rules.ts';
import type { ObjectRecord, VersionRecord } from './entity.ts';

/** Maximum bytes of a value in UTF-8. */
export const MAX_VALUE_BYTES = 262_144;

/** A context in a request. */
export const KeyContext = z
  .record(z.string(), z.string().max(500))
  .superRefine((context, issues) => {
    const problem = contextProblem(context);
    if (problem !== undefined) issues.addIssue({ code: 'custom', message: problem });
  })
  .meta({ maxProperties: MAX_ENTRIES });

const value = secret.refine((text) => text.isWellFormed(), 'must be valid Unicode');

const secretValue = value.describe('The secret: a text of at most 256 KiB, which is stored encrypted.');

const name = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => text.isWellFormed(), 'must be valid Unicode')
  .refine(isPathText, NOT_PATH_TEXT)
  .describe('The name of the object, which is unique in the environment and with which it can be read.');

export const CreateObject = z
  .object({ key_context: KeyContext, name, value: secretValue })
  .meta({ id: 'CreateObjectRequest' });

export const UpdateObject = z
  .object({ value: secretValue, version_check: z.string().max(64).nullable().optional() })
  .meta({ id: 'UpdateObjectRequest' });

export const DeleteObject = z.object({ version_check: z.string().max(64).optional() });

export const Actor = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Actor' });

export const ObjectMetadata = z
  .object({
    context: z.record(z.string(), z.string()),
    environment_id: z.string(),
    id: z.string(),
    key_id: z.string(),
    updated_at: timestamp,
    updated_by: Actor,
    version_id: z
      .string()
      .nullable()
      .optional()
      .describe('The current version of the object. Send it as `version_check` to change exactly this version.'),
  })
  .meta({ id: 'ObjectMetadata' });

export const ObjectWithoutValue = z
  .object({ id: z.string(), metadata: ObjectMetadata, name: z.string() })
  .meta({ id: 'ObjectWithoutValue' });

export const ObjectWithValue = z
  .object({ id: z.string(), metadata: ObjectMetadata, name: z.string(), value: secret })
  .meta({ id: 'Object' });

export const DeletedObject = z.object({ name: z.string(), success: z.boolean() }).meta({ id: 'DeleteObjectResponse' });

const ObjectSummary = z
  .object({ id: z.string(), name: z.string(), updated_at: timestamp.nullable().optional() })
  .meta({ id: 'ObjectSummary' });

const ListMetadata = z
  .object({ before: z.string().nullable(), after: z.string().nullable() })
  .meta({ id: 'ListMetadata' });

/** The envelope of the vault's lists, which has no `object`. */
export const vaultListSchema = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), list_metadata: ListMetadata });

export const ObjectList = vaultListSchema(ObjectSummary).meta({ id: 'ObjectListResponse' });

const ObjectVersion = z
  .object({ created_at: timestamp, current_version: z.boolean(), etag: z.string(), id: z.string(), size: z.int() })
  .meta({ id: 'ObjectVersion' });

export const VersionList = vaultListSchema(ObjectVersion).meta({ id: 'VersionListResponse' });

/** The query members of the vault's lists: two orders, and larger pages than other lists. */
export const vaultPageMembers = (isCursor: (text: string) => boolean) => {
  const cursor = z.string().refine(isCursor, 'must be an id from the response of a list').optional();
  return {
    before: cursor.describe('The page before this id.'),
    after: cursor.describe('The page after this id.'),
    limit: z.coerce.number().int().min(1).max(1_000).default(10).describe('The most records of a page.'),
    order: z.enum(['asc', 'desc']).default('desc').describe('`desc`: the newest first. `asc`: the oldest first.'),
  };
};

export const ListObjects = z.object({
  ...vaultPageMembers(isUuid),
  /** Prefixes of words of the name, ignoring case. */
  search: searchText.optional(),
  /** Selects objects changed after this time; both spellings of the parameter have the same effect. */
  updatedAfter: timestampInput.optional(),
  updated_after: timestampInput.optional(),
});

/** The metadata of a stored object, without its value. */
export const presentMetadata = (record: ObjectRecord): z.input<typeof ObjectMetadata> => ({
  context: record.context as Context,
  environment_id: record.environmentId,
  id: record.id,
  key_id: record.keyId,
  updated_at: record.updatedAt,
  updated_by: { id: record.updatedById, name: record.updatedByName },
  version_id: record.versionId,
});

export const presentObject = (record: ObjectRecord): z.input<typeof ObjectWithoutValue> => ({
  id: record.id,
  name: record.name,
  metadata: presentMetadata(record),
});

export const presentSummary = ({ id, name: own, updatedAt }: ObjectRecord): z.input<typeof ObjectSummary> => ({
  id,
  name: own,
  updated_at: updatedAt,
});

export const presentVersion = (record: VersionRecord, currentId: string): z.input<typeof ObjectVersion> => ({
  id: record.id,
  created_at: record.createdAt,
  current_version: record.id === currentId,
  etag: record.etag,
  size: record.size,
});
