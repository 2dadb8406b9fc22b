import { systemActor } from '../../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID, OPERATORS_ORGANIZATION_ID } from '../../../kernel/authentication/environment-id.ts';
import { emailAddress } from '../../../kernel/address.ts';
import { clock } from '../../../kernel/clock.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { stageLineOfStage } from '../../../kernel/http/operators-log.ts';
import { newId } from '../../../kernel/ids.ts';
import { log } from '../../../kernel/log.ts';
import { count } from '../../../kernel/metrics.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { ENVIRONMENT_OWNER, ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import {
  findMembership,
  givenRoles,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
  sortRoles,
  stageMembership,
  stageMembershipChange,
} from '../../../tenancy/modules/memberships/public.ts';
import { getUserByEmail, stageUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { stageAccountOpening } from '../../account/public.ts';
import { findOwners, provideOperatorsEnvironment } from '../operators/environment.ts';
import { BREAK_GLASS_NAME, stageConsoleSession } from '../session/session.ts';
import {
  type BreakGlass,
  consoleLinks,
  type ConsoleLinkRecord,
  endOfLinks,
  linkTokens,
  openInvitation,
} from './entity.ts';
import { type AccountChange, type Authority, may, type Verdict } from '../../../tenancy/modules/trust/public.ts';
import { requireConsole } from './authority.ts';

/** The result of using a link. */
export type Opening =
  /** The cookies of the console's session and of the operator's account page. */
  | { kind: 'opened'; cookies: string[]; breakGlass?: BreakGlass }
  /** The link was used, has expired, or is void since there is an owner. */
  | { kind: 'ended' }
  | { kind: 'invalid_email' };

/** Finds a link that can be used. */
export async function findLink(token: string): Promise<ConsoleLinkRecord | undefined> {
  const link = await linkTokens.find(token, OPERATORS_ENVIRONMENT_ID);
  return link?.isForFirstOwner === true && (await findOwners(1)).length > 0 ? undefined : link;
}

/** The proof by a link, which only those with rights in AWS, or an owner, can make. */
const readLinkProof = (at: number): Authority => [{ method: 'console_link', word: 'environment', at }];

/** The permission to open the account page by a link of the console, which only those with rights in AWS, or an owner, can make. */
function admitByLink(at: number): Verdict<AccountChange> {
  const asked = may(readLinkProof(at), {
    act: 'change_account' as const,
    covering: [],
  });
  if (!asked.isAllowed) throw new Error(`A link of the console does not open the account page: ${asked.reason}`);
  return asked;
}

/**
 * Uses a link up: makes its user and membership if they do not exist, gives the role, and opens a session of the console.
 * @param entered the address that the person entered, for a link without one
 */
export async function openLink(token: string, entered: string | undefined, request: IncomingRequest): Promise<Opening> {
  if ((await findLink(token)) !== undefined) await provideOperatorsEnvironment();
  const opening = await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit): Promise<Opening> => {
    const link = await findLink(token);
    if (link === undefined) return { kind: 'ended' };
    if (link.breakGlass !== undefined) return openBreakGlass(unit, link, request);
    const email = emailAddress(link.email ?? entered ?? '');
    if (email === undefined) return { kind: 'invalid_email' };
    // The invitation is read before the mark, so that a revocation in between makes this transaction fail.
    const invitation = await consoleLinks.get(OPERATORS_ENVIRONMENT_ID, openInvitation(email));
    const end = await consoleLinks.get(OPERATORS_ENVIRONMENT_ID, endOfLinks(email));
    if (end !== undefined && end.createdAt >= link.createdAt) return { kind: 'ended' };
    unit.stage([consoleLinks.remove(link), ...(invitation === undefined ? [] : [consoleLinks.remove(invitation)])]);
    const { user, membershipId } = await stageOperator(unit, { email, name: link.name, role: link.role });
    const userId = user.id;
    const provenAt = clock.now();
    // The operator adds a password or passkey and a second factor there, and then signs in without a link.
    const account = { method: 'link', provenAt, sessionCookie: undefined };
    const verdict = admitByLink(provenAt);
    const accountCookie = await stageAccountOpening(unit, verdict, user, account, request);
    const cookie = await stageConsoleSession(
      unit,
      requireConsole(readLinkProof(provenAt)),
      { id: userId, owner: ownerKey('user', userId) },
      { membershipId, provenAt, method: 'link' },
      request,
    );
    return { kind: 'opened', cookies: [cookie, accountCookie] };
  });
  if (opening.kind === 'opened' && opening.breakGlass !== undefined) raiseAlarm(opening.breakGlass);
  return opening;
}

/** Raises the alarm of the stage for an emergency access that was opened. */
function raiseAlarm({ environmentId, reason }: BreakGlass): void {
  log.error('an emergency access was opened', { environment_id: environmentId, reason });
  count({ operator_alarms: { value: 1, unit: 'Count' } }, { cause: 'break_glass' });
}

/** Opens the session of an emergency access, which ends an hour after its link was made. */
async function openBreakGlass(unit: Unit, link: ConsoleLinkRecord, request: IncomingRequest): Promise<Opening> {
  const access = link.breakGlass as BreakGlass;
  const holderId = newId('break_glass');
  unit.stage(consoleLinks.remove(link));
  const actor = { id: holderId, name: BREAK_GLASS_NAME };
  stageLineOfStage(unit, { action: 'console.break_glass_opened', actor, ...access, request });
  const cookie = await stageConsoleSession(
    unit,
    requireConsole(readLinkProof(clock.now())),
    { id: holderId, owner: ENVIRONMENT_OWNER, seconds: (link.expiresAt ?? 0) - clock.seconds() },
    { membershipId: '', provenAt: clock.now(), method: 'break_glass', breakGlass: access },
    request,
  );
  return { kind: 'opened', cookies: [cookie], breakGlass: access };
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
): Promise<{ user: UserRecord; membershipId: string }> {
  const environmentId = OPERATORS_ENVIRONMENT_ID;
  const user =
    (await getUserByEmail(environmentId, email)) ??
    stageUser(unit, { environmentId, email, emailVerified: true, name });
  const membership = await findMembership(environmentId, user.id, OPERATORS_ORGANIZATION_ID);
  const { id } = await stageRole(unit, user.id, membership, role);
  return { user, membershipId: id };
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
