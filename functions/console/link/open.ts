import { systemActor } from '../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID, OPERATORS_ORGANIZATION_ID } from '../../kernel/authentication/environment-id.ts';
import { emailAddress } from '../../kernel/address.ts';
import { clock } from '../../kernel/clock.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import {
  findMembership,
  givenRoles,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
  sortRoles,
  stageMembership,
  stageMembershipChange,
} from '../../memberships/public.ts';
import { getUserByEmail, stageUser } from '../../users/public.ts';
import { provideOperatorsEnvironment } from '../operators/environment.ts';
import { findOwners } from '../operators/owners.ts';
import { consoleSessions, SESSION_SECONDS } from '../session/session.ts';
import { consoleLinks, type ConsoleLinkRecord, endOfLinks, linkTokens } from './entity.ts';

/** The result of using a link. */
export type Opening =
  | { kind: 'opened'; cookie: string }
  /** The link was used, has expired, or is void since there is an owner. */
  | { kind: 'ended' }
  | { kind: 'invalid_email' };

/** Finds a link that can be used. */
export async function findLink(token: string): Promise<ConsoleLinkRecord | undefined> {
  const link = await linkTokens.find(token, OPERATORS_ENVIRONMENT_ID);
  return link?.isForFirstOwner === true && (await findOwners(1)).length > 0 ? undefined : link;
}

/**
 * Uses a link up: makes its user and membership if they do not exist, gives the role, and opens a session of the console.
 * @param entered the address that the person entered, for a link without one
 */
export async function openLink(token: string, entered: string | undefined, request: IncomingRequest): Promise<Opening> {
  if ((await findLink(token)) !== undefined) await provideOperatorsEnvironment();
  return applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit): Promise<Opening> => {
    const link = await findLink(token);
    if (link === undefined) return { kind: 'ended' };
    const email = emailAddress(link.email ?? entered ?? '');
    if (email === undefined) return { kind: 'invalid_email' };
    const end = await consoleLinks.get(OPERATORS_ENVIRONMENT_ID, endOfLinks(email));
    if (end !== undefined && end.createdAt >= link.createdAt) return { kind: 'ended' };
    unit.stage(consoleLinks.remove(link));
    const { userId, membershipId } = await stageOperator(unit, { email, name: link.name, role: link.role });
    const cookie = await consoleSessions.stageOpening(
      unit,
      {
        environmentId: OPERATORS_ENVIRONMENT_ID,
        holderId: userId,
        owner: ownerKey('user', userId),
        seconds: SESSION_SECONDS,
      },
      { membershipId, provenAt: clock.now(), method: 'link' },
      request,
    );
    return { kind: 'opened', cookie };
  });
}

interface Named {
  email: string;
  name: string | undefined;
  role: string | undefined;
}

/** Stages the user, the membership and the role of an operator, as far as they do not exist. */
async function stageOperator(
  unit: Unit,
  { email, name, role }: Named,
): Promise<{ userId: string; membershipId: string }> {
  const environmentId = OPERATORS_ENVIRONMENT_ID;
  const user =
    (await getUserByEmail(environmentId, email)) ??
    stageUser(unit, { environmentId, email, emailVerified: true, name });
  const membership = await findMembership(environmentId, user.id, OPERATORS_ORGANIZATION_ID);
  const { id } = await stageRole(unit, user.id, membership, role);
  return { userId: user.id, membershipId: id };
}

async function stageRole(
  unit: Unit,
  userId: string,
  membership: OrganizationMembershipRecord | undefined,
  role: string | undefined,
): Promise<OrganizationMembershipRecord> {
  const known = await rolesOfMemberships(OPERATORS_ENVIRONMENT_ID, OPERATORS_ORGANIZATION_ID);
  const added = role === undefined ? [] : [role];
  if (membership === undefined) {
    const given = sortRoles(known, added);
    return stageMembership(unit, {
      environmentId: OPERATORS_ENVIRONMENT_ID,
      userId,
      organizationId: OPERATORS_ORGANIZATION_ID,
      roles: given.length > 0 ? given : [known.defaultRole],
    });
  }
  const slugs = [...givenRoles(membership, known.bySlug).map(({ slug }) => slug), ...added];
  return stageMembershipChange(unit, membership, { status: 'active', roles: { known, own: sortRoles(known, slugs) } });
}
