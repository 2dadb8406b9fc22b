import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import type { EnvironmentRecord } from '../../../kernel/storage/environment.ts';
import { emailInput, timestamp } from '../../../kernel/values.ts';
import type { TeamRecord } from './entity.ts';
import { ENVIRONMENT_KINDS, type EnvironmentKind } from './rules.ts';

export const CreateTeam = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(128)
      .describe('The name of the team, which is shown in the invitation and in the names of the environments.'),
    admin_email: emailInput.describe('The address of the administrator, to which the invitation is sent.'),
  })
  .meta({ id: 'CreateTeamDto' });

export const Team = z
  .object({
    object: z.literal('team'),
    id: z.string(),
    name: z.string(),
    production_state: z
      .enum(['Active', 'Inactive', 'Suspended', 'Deleting'])
      .describe('The state of the production environment; `Deleting` once the operator has deleted it.'),
    production_enabled_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Team' });

export const TeamList = listSchema(Team).meta({ id: 'TeamList' });
export const ListTeams = z.object(pageMembers('team'));

export const SetProductionState = z
  .object({
    production_state: z
      .enum(['Active', 'Suspended'])
      .describe(
        'With `Active` the production environment accepts its keys; with `Suspended` it rejects them until it is `Active` again.',
      ),
  })
  .meta({ id: 'SetTeamProductionStateDto' });

const TeamEnvironment = z
  .object({
    object: z.literal('environment'),
    id: z.string(),
    kind: z.enum(ENVIRONMENT_KINDS),
    name: z.string(),
    client_id: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'TeamEnvironment' });

export const TeamEnvironmentList = listSchema(TeamEnvironment).meta({ id: 'TeamEnvironmentList' });

/**
 * Shows a team to its platform.
 * @param production its production environment; undefined after its rows were removed
 */
export const presentTeam = (record: TeamRecord, production: EnvironmentRecord | undefined): z.input<typeof Team> => ({
  object: 'team',
  id: record.id,
  name: record.name,
  production_state: isDeleted(production) ? 'Deleting' : record.productionState,
  production_enabled_at: record.productionEnabledAt ?? null,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** Reports whether an environment was deleted by the operator. */
export const isDeleted = (environment: EnvironmentRecord | undefined): boolean =>
  environment === undefined || environment.deletedAt !== undefined;

/** An environment of a team. */
export const presentEnvironment = (
  kind: EnvironmentKind,
  clientId: string,
  { id, name, createdAt }: EnvironmentRecord,
): z.input<typeof TeamEnvironment> => ({
  object: 'environment',
  id,
  kind,
  name,
  client_id: clientId,
  created_at: createdAt,
});
