import * as z from 'zod';

import { importedId } from '../../../kernel/import.ts';
import { CreateOrganization } from '../../../tenancy/organizations/public.ts';
import { timestampInput } from '../../../kernel/values.ts';
import { CreateUser } from '../user/schema.ts';

const importedIdSchema = (prefix: string) => importedId(prefix).optional();

const times = { created_at: timestampInput.optional(), updated_at: timestampInput.optional() };
const slug = z.string().min(1).max(255);

/** The members that refer to an organization, by its id or by the caller's own. */
const organizationReference = {
  organization_id: z.string().min(1).max(255).optional(),
  organization_external_id: z.string().min(1).max(128).optional(),
};

const membershipMembers = {
  id: importedIdSchema('om'),
  ...organizationReference,
  status: z.enum(['active', 'inactive', 'pending']).default('active'),
  role_slug: slug.optional(),
  role_slugs: z.array(slug).min(1).max(20).optional(),
  ...times,
};

/** A membership, under its user or on a separate line. */
const Membership = z.object(membershipMembers);

const User = CreateUser.extend({
  object: z.literal('user'),
  id: importedIdSchema('user'),
  locale: z.string().max(255).optional(),
  profile_picture_url: z.string().max(2_048).optional(),
  last_sign_in_at: timestampInput.optional(),
  ...times,
  memberships: z.array(Membership).max(10_000).default([]),
});

const OwnMembership = z.object({
  object: z.literal('organization_membership'),
  ...membershipMembers,
  user_id: z.string().min(1).max(255),
});

const Organization = CreateOrganization.extend({
  object: z.literal('organization'),
  id: importedIdSchema('org'),
  ...times,
});

/**
 * One line of an import file: a user, a membership or an organization in the form of the API, with its original id and
 * times. A line without a kind is a user.
 */
export const ImportLine = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? { object: 'user', ...value } : value),
  z.discriminatedUnion('object', [User, OwnMembership, Organization]),
);

export type ImportLine = z.output<typeof ImportLine>;
export type ImportedUser = z.output<typeof User>;
export type ImportedMembership = z.output<typeof Membership>;
export type ImportedOrganization = z.output<typeof Organization>;
