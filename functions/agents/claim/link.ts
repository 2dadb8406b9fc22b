import { clock } from '../../kernel/clock.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { findUserMemberships } from '../../memberships/public.ts';
import { findOrganizations } from '../../organizations/public.ts';
import { findHolderState } from '../../credential-holders/public.ts';
import { type Attempt, registrations } from '../registration/entity.ts';
import { makeCode, openCode } from './code.ts';
import type { OpenAttempt } from './find.ts';

/** An organization in which a user may have the agent act. */
export interface Choice {
  id: string;
  name: string;
}

/** An attempt that is linked to its user, with the code for this user only. */
export interface LinkedAttempt {
  code: string;
  organizations: Choice[];
}

/** The reason why an attempt is not linked to a user. */
export type UnlinkedReason =
  | 'wrong_account'
  | 'invalid_organization'
  | 'organization_selection_required'
  | 'agents_stopped';

/** The organizations of a user’s active memberships. */
export async function findChoices(environmentId: string, userId: string): Promise<Choice[]> {
  const memberships = await findUserMemberships(environmentId, userId);
  const ids = memberships.filter(({ status }) => status === 'active').map(({ organizationId }) => organizationId);
  return [...(await findOrganizations(environmentId, ids)).values()].map(({ id, name }) => ({ id, name }));
}

/** The organization in which the agent will act, and the user's membership of it; undefined for a user without one. */
interface Chosen {
  organizationId: string | undefined;
  membershipId: string | undefined;
}

/** Finds the organization that a user chose, or the only one, unless the user may not have the agent act there. */
async function choose(
  { record, attempt }: OpenAttempt,
  userId: string,
  organizations: readonly Choice[],
  wanted: string | undefined,
): Promise<Chosen | { reason: UnlinkedReason }> {
  const { environmentId } = record;
  const chosen = wanted ?? attempt.organizationId;
  if (chosen !== undefined && !organizations.some(({ id }) => id === chosen)) return { reason: 'invalid_organization' };
  if (chosen === undefined && organizations.length > 1) return { reason: 'organization_selection_required' };
  const organizationId = chosen ?? organizations[0]?.id;
  const holder = { organizationId: organizationId ?? record.organizationId, userId, agentSince: clock.timestamp() };
  const { end, membershipId } = await findHolderState(environmentId, holder);
  return end === 'agents_stopped' ? { reason: 'agents_stopped' } : { organizationId, membershipId };
}

/**
 * Stages the link of an attempt to the user who opened it, and makes the code once: the same user gets the same one again.
 * @param wanted the organization that the user chose; otherwise the one chosen before, or the only one
 */
export async function linkUser(
  unit: Pick<Unit, 'stage'>,
  open: OpenAttempt,
  userId: string,
  wanted: string | undefined,
): Promise<LinkedAttempt | { reason: UnlinkedReason; organizations: Choice[] }> {
  const { record, attempt } = open;
  const { environmentId } = record;
  if (attempt.userId !== undefined && attempt.userId !== userId) return { reason: 'wrong_account', organizations: [] };
  const organizations = await findChoices(environmentId, userId);
  const chosen = await choose(open, userId, organizations, wanted);
  if ('reason' in chosen) return { reason: chosen.reason, organizations };
  const { organizationId, membershipId } = chosen;
  const known = await openCode(environmentId, attempt);
  const made = known === undefined ? await makeCode(environmentId, attempt.id) : undefined;
  const linked: Attempt = {
    ...attempt,
    userId,
    ...(organizationId !== undefined && { organizationId }),
    ...(organizationId !== undefined && membershipId !== undefined && { membershipId }),
    ...(made !== undefined && { sealedCode: made.sealedCode, codeMadeAt: clock.now() }),
  };
  const isSame = attempt.userId === linked.userId && attempt.membershipId === linked.membershipId;
  if (!isSame) unit.stage(registrations.revise(record, { attempt: linked }).write);
  return { code: made?.code ?? known ?? '', organizations };
}
