import { obtainGrant } from '../../kernel/authentication/grant.ts';
import {
  BREAK_GLASS_PERMISSIONS,
  OPERATOR_PERMISSIONS,
  type OperatorPermission,
} from '../../kernel/authentication/operator-permission.ts';
import { STEP_UP_MS } from '../../kernel/authentication/step-up.ts';
import {
  ENVIRONMENT_TYPE,
  isOperatorsEnvironment,
  OPERATORS_ENVIRONMENT_ID,
} from '../../kernel/authentication/environment-id.ts';
import { systemActor } from '../../kernel/authentication/caller.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import { declareError, Failure } from '../../kernel/errors.ts';
import { browserValue } from '../../kernel/http/browser.ts';
import type { Binding } from '../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { readUlid } from '../../kernel/id-format.ts';
import { sha256Hex } from '../../kernel/keys/hash.ts';
import { TtlCache } from '../../kernel/memory.ts';
import type { HeldSession } from '../../kernel/pages/session.ts';
import { acceptConflict, applyWork } from '../../kernel/storage/background.ts';
import { allEnvironments, type EnvironmentRecord } from '../../kernel/storage/environment.ts';
import { Unit } from '../../kernel/storage/unit.ts';
import { stageAccountLink } from '../account/public.ts';
import { findMembershipRights, type MembershipRights } from '../../access/authorization/public.ts';
import { isLive, openSessionRow } from '../../tenancy/sessions/public.ts';
import { findUser, type UserRecord } from '../../tenancy/modules/users/public.ts';
import { accountAddress, consoleAddress } from './page/plain.ts';
import { stageEndOfUserSession } from './session/end-session.ts';
import { BREAK_GLASS_NAME, type ConsoleSession, consoleSessions } from './session/session.ts';
import { grantSecret } from './session/secret.ts';

/** The error for a page or record that does not exist, which is the same for one that the operator may not see. */
export const pageNotFound = declareError({
  status: 404,
  code: 'not_found',
  message: 'There is no such page or record, or the roles of the operator do not include it. Begin at /console.',
});

/** An environment of the stage that an operator may see. */
export interface OperatorEnvironment {
  id: string;
  name: string;
  /** `#rrggbb`; null if none is set. */
  color: string | null;
  isProduction: boolean;
  permissions: ReadonlySet<OperatorPermission>;
}

/** A person who is signed in to the console. */
export interface Operator {
  id: string;
  name: string | null;
  email: string;
  /** The environments in which the operator has a permission, in the order of their names. */
  environments: readonly OperatorEnvironment[];
  /** The environment of the operators itself; undefined for those who may not see it. */
  home: OperatorEnvironment | undefined;
  /** True if a link opened the session, and not a sign-in with a second factor. */
  isByLink: boolean;
  /** True for an emergency access (break-glass), which every page names in its header and its title. */
  isEmergency: boolean;
  /** The value that binds forms to the session (`FormBinding`). It follows from the cookie, and is not the cookie. */
  binding: string;
}

/** The data of a session that pages do not need. */
interface Visit {
  cookie: string;
  session: HeldSession<ConsoleSession>;
  address: string;
  rights: MembershipRights;
}

const visits = new WeakMap<Operator, Visit>();

/** The cookie of the console. */
export const consoleBinding: Binding = { purpose: 'console', id: readUlid(OPERATORS_ENVIRONMENT_ID) };

/**
 * Finds the operator of a request, whose session, membership and roles are read again, strongly consistent: two successive
 * reads, three for a membership that this instance has not seen. It records the use of the session.
 * @returns undefined without a session, and for a user who is no active member any more
 */
export async function findOperator(request: IncomingRequest): Promise<Operator | undefined> {
  const cookie = browserValue(request, consoleBinding);
  const session = cookie === undefined ? undefined : await consoleSessions.find(OPERATORS_ENVIRONMENT_ID, request);
  if (cookie === undefined || session === undefined) return undefined;
  if (session.breakGlass !== undefined) return findBreakGlassOperator(session, cookie, request);
  const [user, isSignedIn, rights, all] = await awaitAll([
    findUser(OPERATORS_ENVIRONMENT_ID, session.holderId),
    isUserSessionLive(session),
    findMembershipRights(OPERATORS_ENVIRONMENT_ID, session.membershipId, ENVIRONMENT_TYPE),
    listEnvironments(),
  ]);
  if (user === undefined || !isSignedIn || rights?.isActive !== true || rights.userId !== user.id) return undefined;
  await noteUse(session);
  const operator = {
    ...makeOperator(user, rights, all, cookie),
    isByLink: session.method === 'link',
    isEmergency: false,
  };
  visits.set(operator, { cookie, session, address: request.sourceIp, rights });
  return operator;
}

/** The operator of an emergency access, who has every permission in its environment, and in no other. It reads no user and no role. */
async function findBreakGlassOperator(
  session: HeldSession<ConsoleSession>,
  cookie: string,
  request: IncomingRequest,
): Promise<Operator> {
  const environmentId = session.breakGlass?.environmentId ?? '';
  const all = await listEnvironments();
  await noteUse(session);
  const permissions = new Set(BREAK_GLASS_PERMISSIONS);
  const rights: MembershipRights = {
    userId: session.holderId,
    isActive: true,
    atOrganization: { permissions: new Set(), roles: [] },
    onResources: new Map([[environmentId, { permissions, roles: ['break-glass'] }]]),
  };
  const person = { id: session.holderId, email: BREAK_GLASS_NAME };
  const operator = { ...makeOperator(person, rights, all, cookie), isByLink: false, isEmergency: true };
  visits.set(operator, { cookie, session, address: request.sourceIp, rights });
  return operator;
}

/** Reports whether the user's session that a sign-in opened has not ended; true for a link, which opens none. */
export async function isUserSessionLive({ holderId, sessionId }: HeldSession<ConsoleSession>): Promise<boolean> {
  if (sessionId === undefined) return true;
  const session = await openSessionRow(OPERATORS_ENVIRONMENT_ID, holderId, sessionId);
  return session !== undefined && isLive(session);
}

/** Environments of the stage, cached for five seconds: only their names and colours, never a right. */
const ENVIRONMENTS_MS = 5_000;
const known = new TtlCache<EnvironmentRecord[]>(1, ENVIRONMENTS_MS);

const listEnvironments = (): Promise<EnvironmentRecord[]> =>
  known.load('all', async () =>
    (await allEnvironments()).filter(({ id, deletedAt }) => deletedAt === undefined && !isOperatorsEnvironment(id)),
  );

function makeOperator(
  user: Pick<UserRecord, 'id' | 'email' | 'name' | 'firstName' | 'lastName'>,
  rights: MembershipRights,
  all: EnvironmentRecord[],
  cookie: string,
): Omit<Operator, 'isByLink' | 'isEmergency'> {
  const environments = all
    .map(({ id, name, color = null, isProduction = false }): OperatorEnvironment => ({
      id,
      name,
      color,
      isProduction,
      permissions: permissionsIn(rights, id),
    }))
    .filter(({ permissions }) => permissions.size > 0)
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1));
  const { id, email, name, firstName, lastName } = user;
  const fullName = [firstName, lastName].filter((part) => part !== undefined).join(' ');
  return {
    id,
    email,
    name: name ?? (fullName === '' ? null : fullName),
    environments,
    home: makeHome(permissionsIn(rights, OPERATORS_ENVIRONMENT_ID)),
    binding: sha256Hex(`console forms\n${cookie}`),
  };
}

const makeHome = (permissions: Set<OperatorPermission>): OperatorEnvironment | undefined =>
  permissions.size === 0
    ? undefined
    : { id: OPERATORS_ENVIRONMENT_ID, name: 'Operators', color: null, isProduction: false, permissions };

/** The environments of an operator, that of the operators included. */
export const listPlaces = ({ environments, home }: Operator): OperatorEnvironment[] => [
  ...environments,
  ...(home === undefined ? [] : [home]),
];

/**
 * The permissions in one environment: those of roles for all environments, and those of roles on it. `operators` comes only
 * from a role for all environments, and is the only permission on the environment of the operators.
 */
export function permissionsIn(
  { atOrganization, onResources }: MembershipRights,
  environmentId: string,
): Set<OperatorPermission> {
  const own = isOperatorsEnvironment(environmentId) ? undefined : onResources.get(environmentId);
  const has = (permission: OperatorPermission): boolean => {
    if (isOperatorsEnvironment(environmentId) && permission !== 'operators') return false;
    if (atOrganization.permissions.has(permission)) return true;
    return permission !== 'operators' && own?.permissions.has(permission) === true;
  };
  return new Set(OPERATOR_PERMISSIONS.filter(has));
}

/**
 * The grant with which the console calls the API for an operator in one environment: a bearer token of ten minutes. A new
 * one is made every five minutes, and whenever the operator's permissions or address differ.
 * @throws Failure 404 for an environment in which the operator has no permission
 */
export async function grantFor(operator: Operator, environmentId: string): Promise<string> {
  const { cookie, session, address, rights } = findVisit(operator);
  const permissions = [...permissionsIn(rights, environmentId)];
  const isSeen = listPlaces(operator).some(({ id }) => id === environmentId);
  if (!isSeen || permissions.length === 0) throw new Failure(pageNotFound);
  const roles = [...rights.atOrganization.roles, ...(rights.onResources.get(environmentId)?.roles ?? [])];
  return obtainGrant(environmentId, await grantSecret(cookie), {
    actor: { id: operator.id, name: operator.name ?? operator.email },
    operator: {
      permissions,
      roles,
      sessionHash: session.hash,
      ...(session.sessionId !== undefined && { sessionId: session.sessionId }),
      address,
      steppedUpUntil: findEndOfProof(session),
    },
  });
}

/** The time until which the proof of a session counts for a step-up: for an emergency access its end, since it has no factor. */
const findEndOfProof = ({ method, provenAt, endsAt }: ConsoleSession): number =>
  method === 'break_glass' ? endsAt : provenAt + STEP_UP_MS;

/**
 * Ends the session of an operator in this browser, with the user's session that its sign-in opened.
 * @returns the Set-Cookie header that removes its cookie
 */
export async function endSession(operator: Operator): Promise<string> {
  const { session } = findVisit(operator);
  return applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
    if (session.sessionId !== undefined) await stageEndOfUserSession(unit, session.holderId, session.sessionId);
    return consoleSessions.stageEnd(unit, OPERATORS_ENVIRONMENT_ID, session);
  });
}

/**
 * Makes the address at which the operator's account page opens: for an operator who has signed in by a link, a link to it that carries this
 * proof, since that page may have another host, and the operator may have no password yet.
 */
export async function openAccount(operator: Operator): Promise<string> {
  const { session } = findVisit(operator);
  const user = await findUser(OPERATORS_ENVIRONMENT_ID, session.holderId);
  if (user === undefined) throw new Failure(pageNotFound);
  if (!operator.isByLink) return accountAddress();
  const { provenAt, method } = session;
  return applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) =>
    stageAccountLink(unit, user, { provenAt, method, returnUrl: consoleAddress() }),
  );
}

function findVisit(operator: Operator): Visit {
  const visit = visits.get(operator);
  if (visit === undefined) throw new Error('The operator was not found by findOperator');
  return visit;
}

/** Postpones the idle end of a session. */
async function noteUse(session: HeldSession<ConsoleSession>): Promise<void> {
  const unit = new Unit(OPERATORS_ENVIRONMENT_ID, systemActor);
  await consoleSessions.stageUse(unit, OPERATORS_ENVIRONMENT_ID, session);
  if (!unit.isEmpty) acceptConflict(await unit.commit(), 'another request of the session has postponed its end');
}
