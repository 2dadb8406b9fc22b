import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import { DirectoryGroup, presentGroup } from '../group/schema.ts';
import type { DirectoryGroupRecord } from '../group/entity.ts';
import type { DirectoryUserRecord } from './entity.ts';

const SlimRole = z.object({ slug: z.string() }).meta({ id: 'SlimRole' });

const email = z.object({
  primary: z.boolean().optional(),
  type: z.string().optional(),
  value: z.string().nullable().optional(),
});

export const DirectoryUserWithGroups = z
  .object({
    object: z.literal('directory_user'),
    id: z.string(),
    directory_id: z.string(),
    organization_id: z.string(),
    idp_id: z.string(),
    email: z.string().nullable(),
    first_name: z.string().nullable().optional(),
    last_name: z.string().nullable().optional(),
    name: z.string().nullable().optional(),
    emails: z.array(email).optional().meta({ deprecated: true }),
    job_title: z.string().nullable().optional().meta({ deprecated: true }),
    username: z.string().nullable().optional().meta({ deprecated: true }),
    state: z.enum(['active', 'suspended', 'inactive']),
    raw_attributes: z.record(z.string(), z.unknown()).meta({ deprecated: true }),
    custom_attributes: z
      .record(z.string(), z.unknown())
      .describe('The values of the custom attributes, by their names.'),
    role: SlimRole.optional(),
    roles: z.array(SlimRole).optional(),
    created_at: timestamp,
    updated_at: timestamp,
    groups: z.array(DirectoryGroup).meta({ deprecated: true }),
  })
  .meta({ id: 'DirectoryUserWithGroups' });

export const DirectoryUserList = listSchema(DirectoryUserWithGroups).meta({ id: 'DirectoryUserList' });

const id = z.string().min(1).max(255);

export const ListDirectoryUsers = z.object({
  ...pageMembers('directory_user'),
  directory: id.optional(),
  group: id.optional(),
  idp_id: z.string().min(1).max(1_000).optional(),
  email: z.string().min(1).max(320).optional(),
});

/** The attributes of a SCIM user that the API shows by name. A provider may send any JSON for them. */
interface Written {
  displayName?: unknown;
  title?: unknown;
  name?: { givenName?: unknown; familyName?: unknown; formatted?: unknown } | undefined;
  emails?: readonly { value?: unknown; type?: unknown; primary?: unknown }[] | undefined;
}

const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The names of a directory user. */
export function readNames(resource: string): { first: string | null; last: string | null; full: string | null } {
  const { displayName, name } = JSON.parse(resource) as Written;
  const [first, last] = [readText(name?.givenName), readText(name?.familyName)];
  const joined = [first, last].filter((part) => part !== null).join(' ');
  return { first, last, full: readText(displayName) ?? readText(name?.formatted) ?? readText(joined) };
}

/** A user of a directory as events show it. */
export function directoryUserPayload(record: DirectoryUserRecord) {
  const written = JSON.parse(record.resource) as Written;
  const { first, last, full } = readNames(record.resource);
  const [role, ...others] = (record.mappedRoles ?? []).map((slug) => ({ slug }));
  return {
    object: 'directory_user' as const,
    id: record.userId ?? record.id,
    directory_id: record.directoryId,
    organization_id: record.organizationId,
    idp_id: record.externalId ?? record.id,
    email: record.email ?? null,
    first_name: first,
    last_name: last,
    name: full,
    emails: (written.emails ?? []).map(({ value, type, primary }) => ({
      ...(typeof primary === 'boolean' && { primary }),
      ...(typeof type === 'string' && { type }),
      value: readText(value),
    })),
    job_title: readText(written.title),
    username: record.userName,
    state: record.state,
    raw_attributes: written as Record<string, unknown>,
    custom_attributes: record.customAttributes as Record<string, unknown>,
    ...(role && { role, roles: [role, ...others] }),
    created_at: record.userCreatedAt ?? record.createdAt,
    updated_at: record.changedAt,
  };
}

/** A user of a directory as callers see it. @param groups The user's groups */
export const presentDirectoryUser = (
  record: DirectoryUserRecord,
  groups: readonly DirectoryGroupRecord[],
): z.input<typeof DirectoryUserWithGroups> => ({ ...directoryUserPayload(record), groups: groups.map(presentGroup) });
