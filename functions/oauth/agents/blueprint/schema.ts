import * as z from 'zod';

import { HOUR_SECONDS } from '../../../kernel/durations.ts';
import { AgentBlueprint as Payload, INSTANCE_TYPES } from '../../../kernel/events/catalogue/agents.ts';
import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import type { BlueprintRecord, SessionLimits } from './entity.ts';

/** Limits on the lists of a blueprint. A row with lists of this length has some 250 KB. */
const MAX_PERMISSIONS = 1_000;
const MAX_ROLES = 100;
const MAX_ORGANIZATIONS = 1_000;

const YEAR_SECONDS = 31_536_000;
const SIXTY_DAYS_SECONDS = 5_184_000;

/** The default lifetimes of the sessions of a blueprint. */
export const DEFAULT_LIMITS: SessionLimits = { maxAge: 3_600, accessTtl: 300, refreshTtl: 3_600 };

const slugs = (most: number) =>
  z
    .array(z.string().min(1).max(128))
    .max(most)
    .transform((all) => [...new Set(all)]);

const name = z.string().trim().min(1).max(255);
const description = z.string().min(1).max(1_000);
const permissions = slugs(MAX_PERMISSIONS).describe(
  'Slugs of the permissions that a token of the blueprint can have at most. If the list is empty or absent, its tokens have no permissions.',
);
const invocableBy = z.object({
  role_slugs: slugs(MAX_ROLES)
    .optional()
    .describe(
      'The roles of the environment of which a member must have one. If the list is empty, all members may use the blueprint.',
    ),
  organization_ids: slugs(MAX_ORGANIZATIONS)
    .optional()
    .describe('The organizations that may use the blueprint. If the list is empty, all may use it.'),
});
const invocableAs = z.object({
  instance_types: z
    .array(z.enum(INSTANCE_TYPES))
    .min(1)
    .transform((types) => INSTANCE_TYPES.filter((type) => types.includes(type)))
    .optional()
    .describe(
      'The agents that may get tokens: `delegated` ones, which act for a user, `autonomous` ones, which act for an organization, or both (default).',
    ),
});
const seconds = (most: number) => z.number().int().min(1).max(most).optional();
const sessionSettings = z.object({
  max_age_seconds: seconds(YEAR_SECONDS).describe('The maximum lifetime of a session. Default: 3600.'),
  access_token_ttl_seconds: seconds(HOUR_SECONDS).describe(
    'The lifetime of an access token, at most `max_age_seconds`. Default: 300.',
  ),
  refresh_token_ttl_seconds: seconds(SIXTY_DAYS_SECONDS).describe(
    'The maximum time between two refreshes. Default: 3600.',
  ),
});

export const CreateBlueprint = z
  .object({
    name,
    description: description.optional(),
    permissions: permissions.optional(),
    invocable_by: invocableBy.optional(),
    invocable_as: invocableAs.optional(),
    // The contract requires these members when a blueprint is created, as does the document; the service also accepts their
    // absence and uses the defaults.
    session_settings: sessionSettings
      .meta({ required: Object.keys(sessionSettings.shape) })
      .describe(
        'The lifetimes of the sessions and tokens. Official clients send all three fields; the service uses the default of each field that is absent.',
      )
      .optional(),
  })
  .meta({ id: 'CreateAgentBlueprintDto' });

export const UpdateBlueprint = z
  .object({
    name: name.optional(),
    description: description.nullable().optional(),
    permissions: permissions.optional(),
    invocable_by: invocableBy.optional(),
    invocable_as: invocableAs.optional(),
    session_settings: sessionSettings.optional(),
  })
  .meta({ id: 'UpdateAgentBlueprintDto' });

export const Blueprint = Payload.meta({ id: 'AgentBlueprint' });
export const BlueprintList = listSchema(Blueprint).meta({ id: 'AgentBlueprintList' });
export const ListBlueprints = z.object(pageMembers('agent_blueprint', 'normal'));

/** A blueprint as callers see it. */
export const presentBlueprint = (record: BlueprintRecord): z.input<typeof Blueprint> => ({
  object: 'agent_blueprint',
  id: record.id,
  name: record.name,
  description: record.description ?? null,
  permissions: record.permissions,
  invocable_by: { role_slugs: record.roleSlugs, organization_ids: record.organizationIds },
  invocable_as: { instance_types: [...(record.instanceTypes ?? INSTANCE_TYPES)] },
  session_settings: presentLimits(record.sessionSettings ?? DEFAULT_LIMITS),
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** The data of the event of a deletion. */
export const presentDeletedBlueprint = ({ id, name: own, createdAt, updatedAt }: BlueprintRecord) => ({
  object: 'agent_blueprint' as const,
  id,
  name: own,
  created_at: createdAt,
  updated_at: updatedAt,
});

const presentLimits = ({ maxAge, accessTtl, refreshTtl }: SessionLimits) => ({
  max_age_seconds: maxAge,
  access_token_ttl_seconds: accessTtl,
  refresh_token_ttl_seconds: refreshTtl,
});

/** The lifetimes after an update: those in the body, and the former ones for members that it does not have. */
export function mergeLimits(
  former: SessionLimits,
  given: z.output<typeof sessionSettings> | undefined,
): { limits: SessionLimits; isConsistent: boolean } {
  const limits = {
    maxAge: given?.max_age_seconds ?? former.maxAge,
    accessTtl: given?.access_token_ttl_seconds ?? former.accessTtl,
    refreshTtl: given?.refresh_token_ttl_seconds ?? former.refreshTtl,
  };
  return { limits, isConsistent: limits.accessTtl <= limits.maxAge };
}
