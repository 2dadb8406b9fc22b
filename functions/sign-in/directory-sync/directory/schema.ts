import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { searchText } from '../../../kernel/search-text.ts';
import { secret, timestamp, timestampInput } from '../../../kernel/values.ts';
import { GroupRole } from '../../../tenancy/modules/group-roles/public.ts';
import { isAttributePath } from '../user/custom.ts';
import type { Counts } from './counts.ts';
import type { DirectoryRecord, DirectoryToken } from './entity.ts';

const DirectoryType = z.enum([
  'azure scim v2.0',
  'bamboohr',
  'breathe hr',
  'cezanne hr',
  'cyberark scim v2.0',
  'fourth hr',
  'generic scim v2.0',
  'gsuite directory',
  'hibob',
  'sailpoint scim v2.0',
  'jump cloud scim v2.0',
  'okta scim v2.0',
  'onelogin scim v2.0',
  'people hr',
  'personio',
  'pingfederate scim v2.0',
  'rippling scim v2.0',
  's3',
  'sftp',
  'sftp workday',
  'workday',
]);

/** The source of a directory. */
export type DirectorySource = z.output<typeof DirectoryType>;

const members = {
  object: z.literal('directory'),
  id: z.string(),
  organization_id: z.string(),
  external_key: z.string().describe('The key in the SCIM URL of the directory: `/scim/v2.0/{external_key}`.'),
  type: DirectoryType,
  state: z.enum(['linked', 'validating', 'invalid_credentials', 'unlinked', 'deleting']),
  name: z.string(),
  domain: z.string().optional(),
  metadata: z
    .object({
      users: z.object({ active: z.int(), inactive: z.int() }),
      groups: z.int(),
    })
    .optional(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const Directory = z.object(members).meta({ id: 'Directory' });
export const DirectoryList = listSchema(Directory).meta({ id: 'DirectoryList' });

export const ListDirectories = z.object({
  ...pageMembers('directory', 'normal'),
  organization_id: z.string().min(1).max(255).optional(),
  search: searchText.optional().describe('Text that matches the beginnings of words of the name.'),
  domain: z.string().min(1).max(253).toLowerCase().optional().meta({ deprecated: true }),
});

const token = {
  object: z.literal('directory_token'),
  id: z.string(),
  directory_id: z.string(),
  organization_id: z.string(),
  token_suffix: z.string(),
  created_at: timestamp,
};

export const NewToken = z
  .object({
    ...token,
    expires_at: timestamp.nullable(),
    value: secret.describe('The bearer token of the provider’s SCIM client. It is shown only here.'),
  })
  .meta({ id: 'NewDirectoryToken' });

export const CreateToken = z
  .object({
    expires_at: timestampInput.nullable().optional().describe('If absent, the token does not expire.'),
    value: secret
      .min(32)
      .max(512)
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks')
      .optional()
      .describe('A token that the customer has already configured, to be imported instead of creating a new one.'),
  })
  .meta({ id: 'CreateDirectoryTokenDto' });

const inactiveUsers = z
  .enum(['delete', 'keep'])
  .describe(
    'What happens to a user who becomes inactive: with `delete` the API no longer returns the user, with `keep` the user stays with the state `inactive`.',
  );
const provisioning = z
  .enum(['off', 'domain', 'all'])
  .describe(
    'Which directory users become users and members of the organization: none (`off`), those with an address at a verified domain of the organization (`domain`), or all (`all`).',
  );
const groupRoles = z
  .array(GroupRole)
  .max(200)
  .describe(
    'Roles of groups in order of priority. The first one that matches applies, or all that match if memberships may have several roles.',
  );
const customAttributes = z
  .record(
    z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
    z.string().max(200).refine(isAttributePath, 'must be a SCIM path such as emails[type eq "work"].value').nullable(),
  )
  .refine((paths) => Object.keys(paths).length <= 50, 'has more than 50 members')
  .describe(
    'The SCIM path of each custom attribute, by the name of the attribute. Null disables a predefined attribute, or removes one of your own.',
  );

/** A directory with members that the contract does not have. */
export const DirectoryDetails = z
  .object({
    ...members,
    scim_url: z.string().describe('The base URL of the provider’s SCIM client.'),
    inactive_users: inactiveUsers,
    provisioning,
    custom_attributes: z
      .record(z.string(), z.string().nullable())
      .describe(
        'The SCIM path of each custom attribute, by the name of the attribute; null for a disabled predefined attribute.',
      ),
    group_roles: groupRoles,
    tokens: z.array(z.object({ ...token, expires_at: timestamp.nullable() })),
  })
  .meta({ id: 'DirectoryDetails' });

const name = z.string().trim().min(1).max(255);

export const CreateDirectory = z
  .object({
    organization_id: z.string().min(1).max(255),
    name,
    type: DirectoryType.default('generic scim v2.0').describe('The provider of the directory.'),
    external_key: z
      .string()
      .min(4)
      .max(128)
      .optional()
      .describe(
        'For a directory that is moved from another service: the key in the SCIM URL that the identity provider already calls. By default a key is generated.',
      ),
    inactive_users: inactiveUsers.default('delete'),
    provisioning: provisioning.default('domain'),
    custom_attributes: customAttributes.default({}),
    group_roles: groupRoles.default([]),
  })
  .meta({ id: 'CreateDirectoryDto' });

export const UpdateDirectory = z
  .object({
    name: name.optional(),
    type: DirectoryType.optional().describe('The provider of the directory.'),
    state: z
      .enum(['linked', 'unlinked'])
      .optional()
      .describe('`unlinked` disables the directory: SCIM calls of its provider are rejected. `linked` enables it.'),
    inactive_users: inactiveUsers.optional(),
    provisioning: provisioning.optional(),
    custom_attributes: customAttributes
      .optional()
      .describe(
        'The SCIM path of each custom attribute, by the name of the attribute. Null disables a predefined attribute, or removes one of your own. Attributes that are absent are unchanged.',
      ),
    group_roles: groupRoles.optional(),
  })
  .meta({ id: 'UpdateDirectoryDto' });

const STATES = { active: 'linked', validating: 'validating', inactive: 'unlinked' } as const;

/** A directory as callers see it. */
export const presentDirectory = (record: DirectoryRecord, counts: Counts): z.input<typeof Directory> => ({
  object: 'directory',
  id: record.id,
  organization_id: record.organizationId,
  external_key: record.externalKey,
  type: record.type as DirectorySource,
  state: STATES[record.state],
  name: record.name,
  metadata: { users: { active: counts.active, inactive: counts.inactive }, groups: counts.groups },
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** A token as events show it. */
export const tokenPayload = (
  { id, organizationId }: DirectoryRecord,
  { id: tokenId, suffix, createdAt }: DirectoryToken,
) => ({
  object: 'directory_token' as const,
  id: tokenId,
  directory_id: id,
  organization_id: organizationId,
  token_suffix: suffix,
  created_at: createdAt,
});

/** A token without its value. */
export const presentToken = (directory: DirectoryRecord, token: DirectoryToken) => ({
  ...tokenPayload(directory, token),
  expires_at: token.endsAt ?? null,
});

/**
 * A directory with its settings.
 * @param baseUrl the URL of the service
 */
export const presentDetails = (
  record: DirectoryRecord,
  counts: Counts,
  baseUrl: string,
): z.input<typeof DirectoryDetails> => ({
  ...presentDirectory(record, counts),
  scim_url: `${baseUrl}/scim/v2.0/${record.externalKey}`,
  inactive_users: record.inactiveUsers,
  provisioning: record.provisioning,
  custom_attributes: record.customAttributes,
  group_roles: [...record.groupRoles],
  tokens: record.tokens.map((each) => presentToken(record, each)),
});

/** The event data of a directory. */
export const directoryPayload = (
  record: DirectoryRecord,
  state: 'active' | 'validating' | 'inactive' | 'deleting' = record.state,
) => ({
  object: 'directory' as const,
  id: record.id,
  organization_id: record.organizationId,
  type: record.type as DirectorySource,
  state,
  name: record.name,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});
