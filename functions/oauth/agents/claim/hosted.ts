import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { agentSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import type { RequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { findRegistration, registrations } from '../registration/entity.ts';
import { openCode } from './code.ts';
import { checkAttempt, findByAttempt, type OpenAttempt } from './find.ts';
import { type Choice, type Claimant, findChoices, linkUser } from './link.ts';

/** The attempt of a link, by the hash of its token. */
export interface ClaimReference {
  registrationId: string;
  tokenHash: string;
}

/** The claim of an agent as the hosted page shows it to a signed-in user. */
export type HostedClaim =
  | { state: 'closed' | 'completed' | 'other_user' }
  /** The user's proofs may enter none of the user's organizations. `required` has the connections that can give the missing proof. */
  | { state: 'unproved'; required: RequiredSso | undefined }
  | {
      state: 'open';
      agent: string;
      askedAt: string;
      /** The organizations in which the agent can act. */
      organizations: Choice[];
      /** The names of the permissions that it gets, as far as the user has them. */
      permissions: string[];
      /** The code, if the user has requested it. */
      code: string | undefined;
      organizationId: string | undefined;
    };

/** The attempt of a link whose token may be opened; undefined otherwise. */
export async function findClaimReference(environmentId: string, token: string): Promise<ClaimReference | undefined> {
  const named = await findByAttempt(environmentId, token);
  const open = await checkAttempt(environmentId, named);
  return 'reason' in open || named === undefined
    ? undefined
    : { registrationId: open.record.id, tokenHash: named.hash };
}

async function findOpen(
  environmentId: string,
  { registrationId, tokenHash: hash }: ClaimReference,
  user: UserRecord,
): Promise<OpenAttempt | { state: 'closed' | 'completed' | 'other_user' }> {
  const record = await findRegistration(environmentId, registrationId);
  const open = await checkAttempt(environmentId, record && { record, hash });
  if ('reason' in open) return { state: record?.userId === user.id ? 'completed' : 'closed' };
  const isOwn = open.record.loginHint === user.email && user.emailVerified;
  const { userId } = open.attempt;
  return isOwn && (userId === undefined || userId === user.id) ? open : { state: 'other_user' };
}

/** Finds what the page shows. The user’s verified address must be the one for which the agent asked. */
export async function findHostedClaim(
  environmentId: string,
  reference: ClaimReference,
  claimant: Claimant,
): Promise<HostedClaim> {
  const open = await findOpen(environmentId, reference, claimant.user);
  if ('state' in open) return open;
  const [{ organizations, closed, required }, model, { registrations: settings }, code] = await awaitAll([
    findChoices(claimant),
    loadModel(environmentId),
    findSettings(environmentId, agentSettings),
    openCode(environmentId, open.attempt),
  ]);
  if (organizations.length === 0 && closed.length > 0) return { state: 'unproved', required };
  const permissions = settings.post_claim_permissions.flatMap((slug) => model.permissionsBySlug.get(slug)?.name ?? []);
  const { id: agent, createdAt: askedAt } = open.record;
  return {
    state: 'open',
    agent,
    askedAt,
    organizations,
    permissions,
    code,
    organizationId: open.attempt.organizationId,
  };
}

/** Stages the link of the attempt to the user: the page then shows the code to this user. @returns false if it is not theirs */
export async function stageHostedClaim(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  reference: ClaimReference,
  claimant: Claimant,
  organizationId: string | undefined,
): Promise<boolean> {
  const open = await findOpen(environmentId, reference, claimant.user);
  return !('state' in open) && !('reason' in (await linkUser(unit, open, claimant, organizationId)));
}

/** Stages that the user declined: the code and link are invalid, and the agent is rejected. */
export async function stageDeclinedClaim(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  reference: ClaimReference,
  user: UserRecord,
): Promise<boolean> {
  const open = await findOpen(environmentId, reference, user);
  if ('state' in open) return false;
  unit.stage(registrations.revise(open.record, { attempt: { ...open.attempt, isDeclined: true } }).write);
  return true;
}
