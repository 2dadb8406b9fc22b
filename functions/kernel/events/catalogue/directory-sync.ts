import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { freeForm, RoleReference, text, textOrNull, timestamp } from './values.ts';

/** The source of a directory. */
export const DirectoryType = z.enum([
  'azure scim v2.0',
  'bamboohr',
  'breathe hr',
  'cezanne hr',
  'cyberark scim v2.0',
  'fourth hr',
  'generic scim v2.0',
  'gsuite directory',
  'gusto',
  'hibob',
  'jump cloud scim v2.0',
  'okta scim v2.0',
  'onelogin scim v2.0',
  'people hr',
  'personio',
  'pingfederate scim v2.0',
  'rippling scim v2.0',
  'rippling',
  'sailpoint scim v2.0',
  's3',
  'sftp',
  'sftp workday',
  'workday',
]);

const DeletedDirectory = z.object({
  object: z.literal('directory'),
  id: text,
  organization_id: text.optional(),
  type: DirectoryType,
  state: z
    .enum(['active', 'validating', 'invalid_credentials', 'inactive', 'deleting'])
    .describe('The state: `active` is `linked` in the API, and `inactive` is `unlinked`.'),
  name: text,
  created_at: timestamp,
  updated_at: timestamp,
});

const ActivatedDirectory = DeletedDirectory.extend({
  external_key: text.describe('The key in the SCIM URL of the directory: `/scim/v2.0/{external_key}`.'),
  domains: z.array(z.object({ object: z.literal('organization_domain'), id: text, domain: text })),
});

/** A group in the directory's form. */
export const DirectoryGroup = z.object({
  object: z.literal('directory_group'),
  id: text,
  idp_id: text,
  directory_id: text,
  organization_id: text,
  name: text,
  raw_attributes: freeForm.optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

const DeprecatedEmail = z.object({
  primary: z.boolean().optional(),
  type: text.optional(),
  value: textOrNull.optional(),
});

/** A user in the directory's form. */
export const DirectoryUser = z.object({
  object: z.literal('directory_user'),
  id: text,
  directory_id: text,
  organization_id: text,
  idp_id: text,
  email: textOrNull,
  first_name: textOrNull.optional(),
  last_name: textOrNull.optional(),
  name: textOrNull.optional(),
  emails: z.array(DeprecatedEmail).meta({ deprecated: true }).optional(),
  job_title: textOrNull.meta({ deprecated: true }).optional(),
  username: textOrNull.meta({ deprecated: true }).optional(),
  state: z.enum(['active', 'suspended', 'inactive']),
  raw_attributes: freeForm.meta({ deprecated: true }),
  custom_attributes: freeForm.describe('The values of the custom attributes, by their names.'),
  role: RoleReference.optional(),
  roles: z.array(RoleReference).optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** An update may contain the previous values of the changed attributes. */
const before = { previous_attributes: freeForm.optional() };

const DirectoryMember = z.object({ directory_id: text, user: DirectoryUser, group: DirectoryGroup });

const DirectoryToken = z.object({
  object: z.literal('directory_token'),
  id: text,
  directory_id: text,
  organization_id: text.optional(),
  token_suffix: text,
  created_at: timestamp,
});

/** Directories, their users and groups. */
export const directorySyncEvents = {
  'dsync.activated': { data: ActivatedDirectory, subscribable: true },
  'dsync.deleted': { data: DeletedDirectory, subscribable: true },
  'dsync.group.created': { data: DirectoryGroup, subscribable: true },
  'dsync.group.deleted': { data: DirectoryGroup, subscribable: true },
  'dsync.group.updated': { data: DirectoryGroup.extend(before), subscribable: true },
  'dsync.group.user_added': { data: DirectoryMember, subscribable: true },
  'dsync.group.user_removed': { data: DirectoryMember, subscribable: true },
  'dsync.token.created': { data: DirectoryToken, subscribable: false },
  'dsync.token.revoked': { data: DirectoryToken, subscribable: false },
  'dsync.user.created': { data: DirectoryUser, subscribable: true },
  'dsync.user.deleted': { data: DirectoryUser, subscribable: true },
  'dsync.user.updated': { data: DirectoryUser.extend(before), subscribable: true },
} as const satisfies EventFamily<'dsync.'>;
