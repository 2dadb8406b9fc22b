import * as z from 'zod';

import { timestamp } from '../../../kernel/values.ts';
import type { RegistrationRecord } from './entity.ts';
import { REGISTRATION_STATUSES, statusAt } from './rules.ts';

export const RegistrationStatus = z.enum(REGISTRATION_STATUSES);

const times = { created_at: timestamp, updated_at: timestamp };

export const AgentRegistration = z
  .object({
    id: z.string(),
    agent_identity: z.object({
      id: z.string(),
      userland_user_id: z
        .string()
        .nullable()
        .describe(
          'The id of the user of the agent (`user_…`): the one who claimed it, or the one that an identity provider asserted. Null until then.',
        ),
      ...times,
    }),
    organization_id: z.string(),
    status: RegistrationStatus,
    revoked_at: timestamp.nullable().describe('The time of the revocation, which never changes; null before it.'),
    kind: z.enum(['anonymous', 'service_auth', 'identity_assertion']),
    claim: z
      .object({
        id: z.string(),
        claim_completion: z
          .object({ id: z.string(), ...times, expires_at: timestamp, claimed_at: timestamp })
          .nullable(),
        ...times,
        expires_at: timestamp,
      })
      .nullable(),
    ...times,
  })
  .meta({ id: 'AgentRegistration' });

/** A registration as callers see it at a time, in milliseconds since the epoch. */
export function presentRegistration(record: RegistrationRecord, now: number): z.input<typeof AgentRegistration> {
  const { claim, completion, createdAt: created_at, updatedAt: updated_at } = record;
  const status = statusAt(record, now);
  return {
    id: record.id,
    agent_identity: { id: record.identityId, userland_user_id: record.userId ?? null, created_at, updated_at },
    organization_id: record.organizationId,
    status,
    // A row that was revoked before the time was stored never changed afterwards.
    revoked_at: status === 'revoked' ? (record.revokedAt ?? updated_at) : null,
    kind: record.kind,
    claim:
      claim === undefined
        ? null
        : {
            id: claim.id,
            claim_completion:
              completion === undefined
                ? null
                : {
                    id: completion.id,
                    created_at: completion.createdAt,
                    updated_at: completion.claimedAt,
                    expires_at: completion.endsAt,
                    claimed_at: completion.claimedAt,
                  },
            created_at: claim.createdAt,
            updated_at: completion?.claimedAt ?? claim.createdAt,
            expires_at: claim.endsAt,
          },
    created_at,
    updated_at,
  };
}

/** A registration as the data of its creation. */
export const presentNewRegistration = (record: RegistrationRecord) => ({
  object: 'agent_registration' as const,
  id: record.id,
  agent_identity: {
    object: 'agent_identity' as const,
    id: record.identityId,
    userland_user_id: record.userId ?? null,
  },
  organization_id: record.organizationId,
  status: record.status,
  kind: record.kind,
  method: record.kind === 'identity_assertion' ? ('id_jag' as const) : record.kind,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** A registration as the data of events that only name it. */
export const presentName = ({ id }: RegistrationRecord) => ({ agent_registration_id: id });
