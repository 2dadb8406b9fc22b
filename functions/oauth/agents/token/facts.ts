import { awaitAll } from '../../../kernel/concurrency.ts';
import { fitsKey } from '../../../kernel/storage/collection.ts';
import { effectiveRoles, findMembership, rolesOfMemberships } from '../../../tenancy/modules/memberships/public.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { loadModel, type Model, permissionsOfRoles } from '../../../tenancy/roles/public.ts';
import { findUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { findStop, findStops, type StopRecord } from '../../../access/modules/credential-holders/public.ts';
import { type BlueprintRecord, findBlueprint } from '../blueprint/entity.ts';
import { type InstanceRecord, instances, type PlaceRecord } from '../instance/entity.ts';
import { findPlace } from '../instance/stage.ts';
import { findSession, type SessionLink, type SessionRecord } from '../session/entity.ts';
import type { SessionPlace } from '../session/refresh-token.ts';

/** A session with the current state of the records that decide whether it is valid. */
export interface LinkFacts {
  session: SessionRecord | undefined;
  instance: InstanceRecord | undefined;
  blueprint: BlueprintRecord | undefined;
  /** The stop of the session's blueprint. */
  stop: StopRecord | undefined;
}

/** The current state of all records that decide whether a token is valid. */
export interface Facts {
  /** The agents' sessions from the first delegating one to the session itself. */
  chain: LinkFacts[];
  /** The blueprint of the request's path. */
  blueprint: BlueprintRecord | undefined;
  blueprintStop: StopRecord | undefined;
  /** The existing instance of the member or organization for that blueprint. */
  place: PlaceRecord | undefined;
  hasOrganization: boolean;
  /** The membership of the user; undefined if there is none or it is not active. */
  membershipId: string | undefined;
  user: UserRecord | undefined;
  /** The user's permissions in the organization; undefined if there is no user. */
  memberPermissions: ReadonlySet<string> | undefined;
  /** Ids of the user's effective roles. */
  roleIds: readonly string[];
  model: Model;
  /** The stops of the environment, the organization and the user. */
  stops: readonly (StopRecord | undefined)[];
}

async function readLink(environmentId: string, link: SessionLink): Promise<LinkFacts> {
  const [session, instance, blueprint, stop] = await awaitAll([
    findSession(environmentId, link.sessionId),
    instances.get(environmentId, link.instanceId),
    findBlueprint(environmentId, link.blueprintId),
    findStop(environmentId, 'agent_blueprint', link.blueprintId),
  ]);
  return { session, instance, blueprint, stop };
}

/**
 * Reads the state of all records that decide whether a token is valid, by strongly consistent reads that start at once: one
 * BatchGetItem within `readTogether` if this instance has cached the model of roles. It takes thirteen rows, and four more for
 * each ancestor.
 */
export async function readFacts(
  environmentId: string,
  blueprintId: string,
  { chain, organizationId, userId }: SessionPlace,
): Promise<Facts> {
  const hasKeys = [blueprintId, organizationId, userId ?? organizationId].every(fitsKey);
  const [links, blueprint, blueprintStop, place, organization, membership, roles, model, stops, user] = await awaitAll([
    awaitAll(chain.map((link) => readLink(environmentId, link))),
    findBlueprint(environmentId, blueprintId),
    findStop(environmentId, 'agent_blueprint', blueprintId),
    hasKeys ? findPlace(environmentId, blueprintId, { organizationId, userId }) : undefined,
    findOrganization(environmentId, organizationId),
    userId === undefined ? undefined : findMembership(environmentId, userId, organizationId),
    userId === undefined ? undefined : rolesOfMemberships(environmentId, organizationId),
    loadModel(environmentId),
    findStops(environmentId, { organizationId, userId }),
    userId === undefined ? undefined : findUser(environmentId, userId),
  ]);
  const active = organization !== undefined && membership?.status === 'active' ? membership : undefined;
  const memberRoles = active === undefined || roles === undefined ? [] : effectiveRoles(active, roles);
  return {
    chain: links,
    blueprint,
    blueprintStop,
    place,
    hasOrganization: organization !== undefined,
    membershipId: active?.id,
    user,
    memberPermissions: userId === undefined ? undefined : new Set(permissionsOfRoles(memberRoles)),
    roleIds: memberRoles.map(({ id }) => id),
    model,
    stops,
  };
}
