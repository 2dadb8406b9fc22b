import * as z from 'zod';

import { MAX_ENVIRONMENT_ROLES, MAX_PERMISSIONS, MAX_ROLE_PERMISSIONS, MAX_TYPES } from '../model/rules.ts';
import { MEMBER_ROLE, ORGANIZATION_TYPE } from '../model/compiled.ts';
import { displayName, permissionSlug, shortDescription, typeSlug } from '../model/slugs.ts';

const description = shortDescription.optional().default(null);
const resourceType = typeSlug.default(ORGANIZATION_TYPE);
const atMost = (most: number, what: string) => `has more than ${most} ${what}, the most that an environment can have`;

/** Roles that were declared in settings have slugs of up to 64 characters, and names of up to 100. */
const roleSlug = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'may only have lower-case letters, digits, dashes and underscores')
  .refine((slug) => !slug.startsWith('org-'), 'must not begin with "org-", the prefix of organization roles');

export const DocumentType = z.object({
  slug: typeSlug.refine((slug) => slug !== ORGANIZATION_TYPE, 'is built in and not declared'),
  name: displayName,
  description,
  parents: z
    .array(typeSlug)
    .min(1)
    .max(MAX_TYPES)
    .describe('The types of resources that can be parents of its resources.'),
});

export const DocumentPermission = z.object({
  slug: permissionSlug,
  name: displayName,
  description,
  resource_type_slug: resourceType.describe('The type of the resources that the permission is for.'),
});

export const DocumentRole = z.object({
  slug: roleSlug,
  name: z.string().trim().min(1).max(100),
  description,
  resource_type_slug: resourceType.describe('The type of the resources on which the role is assigned.'),
  permissions: z
    .array(permissionSlug)
    .max(MAX_ROLE_PERMISSIONS, `has more than ${MAX_ROLE_PERMISSIONS} permissions, the most that a role can have`)
    .default([]),
});

const document = {
  resource_types: z.array(DocumentType).max(MAX_TYPES, atMost(MAX_TYPES, 'resource types')).default([]),
  permissions: z
    .array(DocumentPermission)
    .max(MAX_PERMISSIONS, atMost(MAX_PERMISSIONS, 'permissions'))
    .default([])
    .describe('The permissions of the environment, without those of the service.'),
  roles: z
    .array(DocumentRole)
    .max(MAX_ENVIRONMENT_ROLES, atMost(MAX_ENVIRONMENT_ROLES, 'roles'))
    .describe(`The roles of the environment, the highest priority first; \`${MEMBER_ROLE}\` is one of them.`),
  default_role: roleSlug.default(MEMBER_ROLE).describe('The role of a new membership without a role.'),
};

/** A model as one document, without the permissions of the service. */
export const AuthorizationModel = z
  .object({ object: z.literal('authorization_model'), version: z.number().int(), ...document })
  .meta({ id: 'XAuthorizationModel' });

export const PutAuthorizationModel = z
  .object({
    version: z
      .number()
      .int()
      .optional()
      .describe('The version that the document is based on. If absent, the version is not checked.'),
    ...document,
  })
  .meta({ id: 'XPutAuthorizationModel' });

export const PutModelQuery = z.object({
  dry_run: z.enum(['true', 'false']).default('false').describe('`true` returns the plan and changes nothing.'),
});

const Change = z.object({
  action: z.enum(['create', 'update', 'delete']),
  kind: z.enum(['resource_type', 'permission', 'role', 'role_order']),
  slug: z.string(),
});

const Effect = z.object({
  role: z.string(),
  gained: z.array(z.string()).describe('Permissions that the holders of the role gain.'),
  lost: z.array(z.string()).describe('Permissions that the holders of the role lose.'),
  memberships: z.number().int().describe('Assignments of the role to memberships.'),
  groups: z.number().int().describe('Assignments of the role to groups.'),
  is_exact: z.boolean().describe('False if there are more assignments than were counted.'),
});

export const AuthorizationModelPlan = z
  .object({
    object: z.literal('authorization_model_plan'),
    version: z.number().int(),
    dry_run: z.boolean(),
    changes: z.array(Change),
    effects: z.array(Effect),
  })
  .meta({ id: 'XAuthorizationModelPlan' });

/** The response of `PUT /x/authorization/model`: what it changed, or would change. */
export type ModelPlan = z.output<typeof AuthorizationModelPlan>;
/** The model in a request. */
export type ModelDocument = Omit<z.output<typeof PutAuthorizationModel>, 'version'>;
/** A change that a document causes. */
export type ModelChange = z.output<typeof Change>;
