import { isId } from '../../../kernel/id-format.ts';
import {
  findMembershipById,
  findMembership,
  findUserMemberships,
} from '../../../tenancy/modules/memberships/public.ts';
import { getUserByEmail, getUserByExternalId } from '../../../tenancy/modules/users/public.ts';
import { places } from '../resource/entity.ts';
import { findNamed, findResource, type FoundResource } from '../resource/find.ts';
import { kindOfUserName, MEMBERSHIP_SUBJECT, namedResource, USER_SUBJECT } from './rules.ts';
import type { ContextGiven, EntityReference } from './schema.ts';

/**
 * The membership of a subject; undefined if there is none, or if the organization of a user is ambiguous. A subject that is
 * named by the id of its membership needs no read. The membership of a user is that in the organization of the context,
 * otherwise in the organization of the resource if the resource is named by its id, otherwise the user's only active one.
 * It costs a round trip each for the user's address or external id, the resource and the membership.
 */
export async function findMembershipId(
  environmentId: string,
  subject: EntityReference,
  resource: EntityReference | undefined,
  context: ContextGiven,
): Promise<string | undefined> {
  const organizationId = context?.organization_id;
  if (subject.type === MEMBERSHIP_SUBJECT) {
    if (organizationId === undefined) return subject.id;
    const membership = await findMembershipById(environmentId, subject.id);
    return membership?.organizationId === organizationId ? subject.id : undefined;
  }
  if (subject.type !== USER_SUBJECT) return undefined;
  const userId = await findUserId(environmentId, subject.id);
  if (userId === undefined) return undefined;
  const home = organizationId ?? (await findOrganizationId(environmentId, resource));
  if (home === null) return undefined;
  if (home !== undefined) return (await findMembership(environmentId, userId, home))?.id;
  const active = (await findUserMemberships(environmentId, userId)).filter(({ status }) => status === 'active');
  return active.length === 1 ? active[0]?.id : undefined;
}

async function findUserId(environmentId: string, name: string): Promise<string | undefined> {
  const kind = kindOfUserName(name);
  if (kind === 'id') return name;
  const user = await (kind === 'email' ? getUserByEmail : getUserByExternalId)(environmentId, name);
  return user?.id;
}

/** The organization of a resource that is named by its id; undefined if it is named otherwise, null if it is unknown. */
async function findOrganizationId(
  environmentId: string,
  resource: EntityReference | undefined,
): Promise<string | undefined | null> {
  const id = resource === undefined ? undefined : namedResource(resource).resource_id;
  if (id === undefined || id === null) return undefined;
  return (await findResource(environmentId, id))?.view.organizationId ?? null;
}

/**
 * The resource of a subject search, which names no member. It is found by its id, by external id and type in the
 * organization of the context, or in the only organization that has such a resource; the Query for the last case reads an
 * index that lags by moments.
 */
export async function findSearched(
  environmentId: string,
  resource: EntityReference,
  context: ContextGiven,
): Promise<FoundResource | undefined> {
  const organizationId = context?.organization_id;
  const named = namedResource(resource);
  const found = await findByName();
  return found?.view.typeSlug === resource.type ? found : undefined;

  async function findByName(): Promise<FoundResource | undefined> {
    if (organizationId !== undefined) return findNamed(environmentId, organizationId, named);
    if (named.resource_id !== undefined && named.resource_id !== null) {
      return findResource(environmentId, named.resource_id);
    }
    const { type: typeSlug, id: externalId } = resource;
    if (typeSlug.includes('#') || isId('org', externalId)) return undefined;
    const rows = await places.list('byExternalId', { environmentId, typeSlug, externalId }).take(2);
    const [row] = rows;
    return row === undefined || rows.length > 1 ? undefined : findResource(environmentId, row.id);
  }
}
