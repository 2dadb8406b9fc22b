import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import { flawOfExternalId } from './rules.ts';

/** A name or id for a lookup. An invalid one is treated as unknown. */
export const reference = z.string().min(1).max(1_024);

const externalId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x00-\x7F]+$/, 'must be ASCII')
  .superRefine((text, context) => {
    const message = flawOfExternalId(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const members = {
  name: z.string().min(1).max(48),
  description: z.string().max(150).nullable().optional(),
};

const parentMembers = {
  parent_resource_id: reference.nullable().optional(),
  parent_resource_external_id: reference.optional(),
  parent_resource_type_slug: reference.optional(),
};

/** A resource in a request, by its id or by its external id and type. */
export interface Named {
  resource_id?: string | null | undefined;
  resource_external_id?: string | undefined;
  resource_type_slug?: string | undefined;
}

/** The members of a body that name a resource. */
export const namingMembers = {
  resource_id: reference.optional(),
  resource_external_id: reference.optional(),
  resource_type_slug: reference.optional(),
};

/** The names of the members that identify a resource. */
interface NamingMembers {
  prefix?: string;
  /** The name of the member with the external id, if it is not `<prefix>resource_external_id`. */
  externalMember?: string;
  isOptional?: boolean;
}

/** Adds an issue unless a resource is identified in exactly one way, or (if it may be absent) not at all. */
export function checkNaming(
  named: Named,
  context: z.RefinementCtx,
  { prefix = '', externalMember = `${prefix}resource_external_id`, isOptional = false }: NamingMembers = {},
): void {
  const { resource_id: id, resource_external_id: external, resource_type_slug: type } = named;
  const [idMember, typeMember] = [`${prefix}resource_id`, `${prefix}resource_type_slug`];
  const add = (member: string, message: string): void => context.addIssue({ code: 'custom', path: [member], message });
  const isById = id !== undefined && id !== null;
  if (isById && (external !== undefined || type !== undefined)) {
    add(idMember, `cannot be given with ${externalMember} and ${typeMember}: name the resource in one way`);
  } else if (!isById && external === undefined && type !== undefined) {
    add(externalMember, `is required with ${typeMember}`);
  } else if (!isById && external !== undefined && type === undefined) {
    add(typeMember, `is required with ${externalMember}`);
  } else if (!isById && external === undefined && !isOptional) {
    add(idMember, `is required, or ${externalMember} with ${typeMember}`);
  }
}

interface ParentMembers {
  parent_resource_id?: string | null | undefined;
  parent_resource_external_id?: string | undefined;
  parent_resource_type_slug?: string | undefined;
}

/** The parent that a body names. */
export const parentNamed = (body: ParentMembers): Named => ({
  resource_id: body.parent_resource_id,
  resource_external_id: body.parent_resource_external_id,
  resource_type_slug: body.parent_resource_type_slug,
});

const checkParent = (body: ParentMembers, context: z.RefinementCtx): void =>
  checkNaming(parentNamed(body), context, { prefix: 'parent_', isOptional: true });

export const CreateResource = z
  .object({
    external_id: externalId,
    ...members,
    resource_type_slug: reference.describe('The type of the resource, a slug of the model such as `project`.'),
    organization_id: reference,
    ...parentMembers,
  })
  .superRefine(checkParent)
  .meta({ id: 'CreateAuthorizationResourceDto' });

export const UpdateResource = z
  .object({
    name: members.name.optional(),
    description: members.description,
    ...parentMembers,
    parent_resource_id: reference.optional(),
  })
  .superRefine(checkParent)
  .meta({ id: 'UpdateAuthorizationResourceDto' });

export const DeleteResource = z.object({
  cascade_delete: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ type: 'boolean' })
    .describe('True if the resources below it and the role assignments are to be deleted too.'),
});

export const Resource = z
  .object({
    object: z.literal('authorization_resource'),
    name: z.string(),
    description: z.string().nullable(),
    organization_id: z.string(),
    parent_resource_id: z
      .string()
      .nullable()
      .describe('The id of the resource above it; null only for the resource of an organization itself.'),
    id: z.string(),
    external_id: z.string(),
    resource_type_slug: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AuthorizationResource' });

export const ResourceList = listSchema(Resource).meta({ id: 'AuthorizationResourceList' });

export const ListResources = z
  .object({
    ...pageMembers('authz_resource'),
    organization_id: reference.optional(),
    resource_type_slug: reference.optional(),
    resource_external_id: reference.optional(),
    parent_resource_id: reference.optional(),
    parent_resource_type_slug: reference.optional(),
    parent_external_id: reference
      .optional()
      .describe('The external id of the parent; requires `parent_resource_type_slug` and `organization_id`.'),
  })
  .superRefine((query, context) => {
    const parent = {
      resource_id: query.parent_resource_id,
      resource_external_id: query.parent_external_id,
      resource_type_slug: query.parent_resource_type_slug,
    };
    checkNaming(parent, context, { prefix: 'parent_', externalMember: 'parent_external_id', isOptional: true });
    if (query.parent_external_id !== undefined && query.organization_id === undefined) {
      const message = 'is required with parent_external_id, which is unique within an organization and type only';
      context.addIssue({ code: 'custom', path: ['organization_id'], message });
    }
  });

/** A resource in the form that decisions use: a row, or the organization's own, which has no row. */
export interface ResourceView {
  environmentId: string;
  id: string;
  organizationId: string;
  typeSlug: string;
  externalId: string;
  name: string;
  description?: string | undefined;
  /** The parent; absent for the organization's own resource. */
  parentId?: string | undefined;
  ancestors: readonly string[];
  createdAt: string;
  updatedAt: string;
}

/** A resource as callers see it. */
export const presentResource = (resource: ResourceView): z.output<typeof Resource> => ({
  object: 'authorization_resource',
  name: resource.name,
  description: resource.description ?? null,
  organization_id: resource.organizationId,
  parent_resource_id: resource.parentId ?? null,
  id: resource.id,
  external_id: resource.externalId,
  resource_type_slug: resource.typeSlug,
  created_at: resource.createdAt,
  updated_at: resource.updatedAt,
});
