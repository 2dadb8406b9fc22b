import { environmentIdOf } from '../../../kernel/authentication/api-key.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import type { UniqueValue } from '../../../kernel/storage/unique.ts';
import { PRODUCTION_STATES } from './rules.ts';

/**
 * A team of a platform, which is stored in the platform's environment. The team's id and the id of its production environment
 * have the same ULID.
 */
const TeamEntity = entity({
  model: model('team'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    name: { type: 'string', required: true },
    adminEmail: { type: 'string', required: true, readOnly: true },
    stagingId: { type: 'string', required: true, readOnly: true },
    productionState: { type: PRODUCTION_STATES, required: true },
    /** The time when production became active for the first time (ISO 8601). */
    productionEnabledAt: { type: 'string' },
  },
  indexes: {
    primary: recordKey('team'),
    /** The teams of a platform, by creation: one Query for each page. */
    byCreation: creationIndex('team'),
    owned: ownedIndex,
  },
});

export type TeamRecord = RecordOf<typeof TeamEntity>;

/** Teams: `get` is one GetItem. The contract has no event for them. */
export const teams = collection(TeamEntity, 'silent');

/** The production environment of a team. */
export const findProductionId = (teamId: string): string => environmentIdOf(readUlid(teamId));

/** The email address of a team's administrator. Only one team of a platform can have it. */
export const administratorOf = (environmentId: string, email: string): UniqueValue => ({
  environmentId,
  kind: 'team.admin_email',
  value: email,
});
