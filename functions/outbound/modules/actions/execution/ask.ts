import { systemActor } from '../../../../kernel/authentication/caller.ts';
import { clock } from '../../../../kernel/clock.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { newId } from '../../../../kernel/ids.ts';
import { count } from '../../../../kernel/metrics.ts';
import { applyWork } from '../../../../kernel/storage/background.ts';
import { ENVIRONMENT_OWNER, ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { type ActionEndpointRecord, actionEndpoints } from '../endpoint/entity.ts';
import { actionSettings, type ActionType } from '../settings.ts';
import { actionExecutions, KEPT_SECONDS } from './entity.ts';
import { type ActionOutcome, sendAction } from './send.ts';

/** A denial by an action, in the form of a rejected sign-in: nothing may be committed. */
export interface DeniedByAction {
  kind: 'rejected';
  code: 'access_denied';
  /** The message of the endpoint for the person, if it sent one. */
  message: string | undefined;
}

/** The person who signs in or registers, and their client. */
export interface ActionSubject {
  environmentId: string;
  email: string;
  ipAddress: string | null;
  userAgent: string | null;
}

/** A complete sign-in before it is concluded. */
export interface AuthenticationSubject extends ActionSubject {
  userId: string;
  organizationId: string | null;
  /** Makes the members of the request to the endpoint; it is only called if there is one. */
  context: () => Promise<Readonly<Record<string, unknown>>>;
}

/** A registration before the user is created. */
export interface RegistrationSubject extends ActionSubject {
  firstName?: string | undefined;
  lastName?: string | undefined;
  name?: string | undefined;
  /** The contract's name of the method with which the person registers. */
  authenticationMethod: string | undefined;
}

/**
 * Asks the environment's endpoint whether a complete sign-in is allowed, once in a call. It waits for at most five seconds,
 * before any row is locked or written.
 * @returns the denial; undefined if the sign-in is allowed, or the environment has no such endpoint
 */
export const askAuthentication = (unit: Unit, subject: AuthenticationSubject): Promise<DeniedByAction | undefined> =>
  ask(unit, 'authentication', subject, async () => ({
    ...(await subject.context()),
    ...presentClient(subject),
  }));

/** Asks the environment's endpoint whether a user may be created, like {@link askAuthentication}. */
export const askRegistration = (unit: Unit, subject: RegistrationSubject): Promise<DeniedByAction | undefined> =>
  ask(unit, 'user_registration', subject, async () => ({
    user_data: {
      object: 'user_data',
      email: subject.email,
      name: subject.name ?? null,
      first_name: subject.firstName ?? '',
      last_name: subject.lastName ?? '',
    },
    ...(subject.authenticationMethod === undefined ? {} : { authentication_method: subject.authenticationMethod }),
    ...presentClient(subject),
  }));

const presentClient = ({ ipAddress, userAgent }: ActionSubject) => ({
  ...(ipAddress === null ? {} : { ip_address: ipAddress }),
  ...(userAgent === null ? {} : { user_agent: userAgent }),
});

type Members = () => Promise<Readonly<Record<string, unknown>>>;
type AnySubject = ActionSubject & Partial<Pick<AuthenticationSubject, 'userId' | 'organizationId'>>;

async function ask(
  unit: Unit,
  type: ActionType,
  subject: AnySubject,
  members: Members,
): Promise<DeniedByAction | undefined> {
  const { environmentId, email, organizationId } = subject;
  const endpointId = (await findSettings(environmentId, actionSettings))[type];
  if (endpointId === null) return undefined;
  // The id of a new user changes when the call is applied again after a conflict, the address does not.
  const outcome = await unit.once(`action ${type} ${email} ${organizationId ?? ''}`, () =>
    execute(endpointId, subject, members),
  );
  return outcome?.verdict === 'Deny'
    ? { kind: 'rejected', code: 'access_denied', message: outcome.message }
    : undefined;
}

async function execute(endpointId: string, subject: AnySubject, members: Members): Promise<ActionOutcome | undefined> {
  const endpoint = await actionEndpoints.get(subject.environmentId, endpointId);
  if (endpoint?.status !== 'enabled') return undefined;
  const id = newId('action_execution');
  const outcome = await sendAction(endpoint, contextOf(endpoint.type, id, await members()));
  count(
    { actionMs: { value: outcome.durationMs, unit: 'Milliseconds' } },
    { type: endpoint.type, verdict: outcome.verdict },
  );
  if (outcome.verdict === 'Deny' || outcome.failure !== undefined) await store(id, endpoint, subject, outcome);
  return outcome;
}

/** The body of a request to an endpoint. */
export const contextOf = (type: ActionType, id: string, members: Readonly<Record<string, unknown>>) => ({
  id,
  object: `${type}_action_context`,
  ...members,
});

/** Stores an execution and, if it denied, its event: in a separate unit of work, since the caller commits nothing. */
async function store(
  id: string,
  endpoint: ActionEndpointRecord,
  subject: AnySubject,
  { verdict, failure, message, status, durationMs }: ActionOutcome,
): Promise<void> {
  const { environmentId, userId, organizationId, email, ipAddress, userAgent } = subject;
  const { record, write } = actionExecutions.create({
    environmentId,
    id,
    owner: userId === undefined ? ENVIRONMENT_OWNER : ownerKey('user', userId),
    expiresAt: clock.seconds() + KEPT_SECONDS,
    endpointId: endpoint.id,
    type: endpoint.type,
    verdict,
    failure,
    errorMessage: message,
    status,
    durationMs,
    userId,
    organizationId: organizationId ?? undefined,
    email,
    ipAddress: ipAddress ?? undefined,
    userAgent: userAgent ?? undefined,
  });
  await applyWork(environmentId, systemActor, async (own: Unit) => {
    own.stage(write);
    if (record.verdict !== 'Deny') return;
    const denial = {
      action_endpoint_id: endpoint.id,
      action_execution_id: id,
      verdict: 'Deny' as const,
      organization_id: organizationId ?? null,
      email,
      ip_address: ipAddress,
      user_agent: userAgent,
    };
    const about = { organizationId: organizationId ?? undefined };
    if (userId === undefined) {
      own.emit('action.user_registration.denied', { ...denial, type: 'user_registration' }, about);
    } else {
      own.emit('action.authentication.denied', { ...denial, type: 'authentication', user_id: userId }, about);
    }
  });
}
