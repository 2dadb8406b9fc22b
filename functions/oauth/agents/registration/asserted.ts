import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { countAttempt } from '../../../kernel/limits/count-attempt.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { claim, findHolders, transfer, type UniqueValue } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { ungoverned } from '../../../tenancy/modules/organization-sso/public.ts';
import { askEntry } from '../../../sign-in/modules/sign-in/public.ts';
import { findHolderState } from '../../../access/modules/credential-holders/public.ts';
import { findUser, getUserByEmail, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { type AgentVerdict, findActing, proveAssertion } from './assertion.ts';
import { findRegistration, type RegistrationRecord } from './entity.ts';
import type { IdentityAssertion } from './identity-assertion.ts';
import { presentName } from './schema.ts';
import { stageRegistration } from './stage.ts';

type Uniques = Record<'subject' | 'user' | 'registration', (...parts: string[]) => UniqueValue>;

/** Values are hashed, since those of another issuer have any length. */
const makeUniques = (environmentId: string, issuer: string): Uniques => {
  const unique =
    (kind: string) =>
    (...parts: string[]): UniqueValue => ({
      environmentId,
      kind: `agent-identity.${kind}`,
      value: sha256Hex(JSON.stringify([issuer, ...parts])),
    });
  return { subject: unique('subject'), user: unique('user'), registration: unique('registration') };
};

/** The user and registration of an assertion. */
interface Known {
  user: UserRecord;
  /** The user's active membership of the organization for which the issuer is trusted. */
  membershipId: string;
  /** True if a stop of agents is active. */
  isStopped: boolean;
  /** True if the issuer has named the user before. */
  isLinked: boolean;
  /** The registration of the same agent for the same user, whatever its status. */
  former: RegistrationRecord | undefined;
}

/**
 * Finds the user of an assertion: by the issuer’s subject, after the first time; the first time by an address that the
 * issuer has verified. The user must be an active member of the organization for which the issuer is trusted, so that an
 * issuer can assert no other user. A user that the issuer has asserted under another subject is not found.
 */
async function findKnown(environmentId: string, assertion: IdentityAssertion): Promise<Known | undefined> {
  const { issuer, subject, clientId, organizationId, email } = assertion;
  const uniques = makeUniques(environmentId, issuer);
  const named = [uniques.subject(subject), uniques.registration(clientId, subject)];
  const [userId, registrationId] = await findHolders(environmentId, named);
  const linked = userId === undefined ? undefined : await findUser(environmentId, userId);
  const user = linked ?? (email === undefined ? undefined : await getUserByEmail(environmentId, email));
  if (user === undefined) return undefined;
  const holder = { organizationId, userId: user.id, requires: 'any', agentSince: clock.timestamp() };
  const [{ end, membershipId }, former, [otherSubject]] = await awaitAll([
    findHolderState(environmentId, holder),
    registrationId === undefined ? undefined : findRegistration(environmentId, registrationId),
    findHolders(environmentId, [uniques.user(user.id)]),
  ]);
  const isOther = otherSubject !== undefined && otherSubject !== sha256Hex(subject);
  const isStopped = end === 'agents_stopped';
  if (isOther || membershipId === undefined || (end !== undefined && !isStopped)) return undefined;
  return { user, membershipId, isStopped, isLinked: linked !== undefined, former };
}

/** The failures of a registration by an assertion. */
interface Rejections {
  invalid: Failure;
  revoked: Failure;
  stopped: Failure;
}

/**
 * Stages the registration of an asserted agent, which is verified at once. The same agent has one registration for the same
 * user, which is found again. A revoked registration stays revoked, whatever its issuer asserts.
 */
export async function stageAsserted(
  unit: Unit<'agent.registration.created' | 'agent.registration.refreshed'>,
  environmentId: string,
  assertion: IdentityAssertion,
  { invalid, revoked, stopped }: Rejections,
): Promise<{ record: RegistrationRecord; verdict: AgentVerdict }> {
  const known = await findKnown(environmentId, assertion);
  const again = known?.former && (await findActing(known.former)).state === 'acting' ? known.former : undefined;
  if (again === undefined) await countAttempt(unit, environmentId, 'agent-identity.issuer', assertion.issuer);
  else await countAttempt(unit, environmentId, 'agent-identity.registration', again.id);
  if (known === undefined) throw invalid;
  const { user, membershipId, isStopped, isLinked, former } = known;
  if (isStopped) throw stopped;
  if (former?.status === 'revoked') throw revoked;
  const { organizationId } = assertion;
  // The organization's own word needs no other proof there, so its policy is not read.
  const entry = await askEntry({
    user,
    authority: proveAssertion(organizationId, clock.now()),
    organizationId,
    isMember: true,
    sso: ungoverned(organizationId),
  });
  if (!entry.isAllowed) throw invalid;
  if (again !== undefined) {
    unit.emit('agent.registration.refreshed', presentName(again), { organizationId: again.organizationId });
    return { record: again, verdict: entry };
  }
  const { issuer, subject, clientId } = assertion;
  const uniques = makeUniques(environmentId, issuer);
  const owner = ownerKey('user', user.id);
  if (!isLinked) {
    unit.stage(claim(uniques.subject(subject), user.id, owner), invalid);
    unit.stage(claim(uniques.user(user.id), sha256Hex(subject), owner), invalid);
  }
  const given = {
    environmentId,
    id: newId('agent_reg'),
    organizationId,
    kind: 'identity_assertion',
    userId: user.id,
    membershipId,
  } as const;
  const { record } = stageRegistration(unit, entry, given, false);
  unit.stage(
    transfer(uniques.registration(clientId, subject), former?.id, record.id, ownerKey('organization', organizationId)),
  );
  return { record, verdict: entry };
}
