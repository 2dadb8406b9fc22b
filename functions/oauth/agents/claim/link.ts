import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findHolderState } from '../../../access/modules/credential-holders/public.ts';
import { findUserMemberships } from '../../../tenancy/modules/memberships/public.ts';
import type { RequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { findOrganizations } from '../../../tenancy/organizations/public.ts';
import { askEntry } from '../../../sign-in/modules/sign-in/public.ts';
import type { Authority, Entry, Verdict } from '../../../tenancy/modules/trust/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
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
  | 'sso_required'
  | 'agents_stopped';

/** A person who has signed in, with what they proved. */
export interface Claimant {
  user: UserRecord;
  authority: Authority;
}

/** The organizations of a user's active memberships. */
export interface Choices {
  /** The organizations that the user's proofs may enter, so that the agent may act there. */
  organizations: Choice[];
  /** The ids of the others. */
  closed: string[];
  /** The connections of the first of the others that requires single sign-on. */
  required: RequiredSso | undefined;
}

/** Finds the organizations in which a user may have the agent act: one GetItem for each, for its policy. */
export async function findChoices({ user, authority }: Claimant): Promise<Choices> {
  const { environmentId } = user;
  const memberships = await findUserMemberships(environmentId, user.id);
  const ids = memberships.filter(({ status }) => status === 'active').map(({ organizationId }) => organizationId);
  const found = [...(await findOrganizations(environmentId, ids)).values()];
  const asked = await readTogether(() =>
    awaitAll(found.map(({ id }) => askEntry({ user, authority, organizationId: id, isMember: true }))),
  );
  const isOpen = (_: unknown, at: number): boolean => asked[at]?.isAllowed === true;
  return {
    organizations: found.filter(isOpen).map(({ id, name }) => ({ id, name })),
    closed: found.filter((each, at) => !isOpen(each, at)).map(({ id }) => id),
    required: asked.map((entry) => (entry.isAllowed ? undefined : entry.required)).find((one) => one !== undefined),
  };
}

/** The organization in which the agent will act, with the user's membership of it, and the permission to enter it. */
interface Chosen {
  /** Undefined for a user without an organization. */
  organizationId: string | undefined;
  membershipId: string | undefined;
  verdict: Verdict<Entry>;
}

/** Finds the organization that a user chose, or the only one, unless the user may not have the agent act there. */
async function choose(
  { record, attempt }: OpenAttempt,
  { user, authority }: Claimant,
  { organizations, closed }: Choices,
  wanted: string | undefined,
): Promise<Chosen | { reason: UnlinkedReason }> {
  const chosen = wanted ?? attempt.organizationId;
  if (chosen !== undefined && closed.includes(chosen)) return { reason: 'sso_required' };
  if (chosen !== undefined && !organizations.some(({ id }) => id === chosen)) return { reason: 'invalid_organization' };
  if (chosen === undefined && organizations.length > 1) return { reason: 'organization_selection_required' };
  const organizationId = chosen ?? organizations[0]?.id;
  // The agent of a user without an organization stays where it is. One who may enter none of several has to sign in differently.
  if (organizationId === undefined && closed.length > 0) return { reason: 'sso_required' };
  const isMember = organizationId !== undefined;
  const verdict = await askEntry({ user, authority, organizationId, isMember });
  if (!verdict.isAllowed) return { reason: 'sso_required' };
  const holder = {
    organizationId: organizationId ?? record.organizationId,
    userId: user.id,
    agentSince: clock.timestamp(),
  };
  const { end, membershipId } = await findHolderState(record.environmentId, holder);
  return end === 'agents_stopped' ? { reason: 'agents_stopped' } : { organizationId, membershipId, verdict };
}

const listWords = (proofs: Authority = []): string => proofs.map(({ method, word }) => `${method} ${word}`).join();

/**
 * Stages the link of an attempt to the user who opened it, and makes the code once: the same user gets the same one again.
 * @param wanted the organization that the user chose; otherwise the one chosen before, or the only one
 */
export async function linkUser(
  unit: Pick<Unit, 'stage'>,
  open: OpenAttempt,
  claimant: Claimant,
  wanted: string | undefined,
): Promise<LinkedAttempt | { reason: UnlinkedReason; organizations: Choice[] }> {
  const { record, attempt } = open;
  const { environmentId } = record;
  const { id: userId } = claimant.user;
  if (attempt.userId !== undefined && attempt.userId !== userId) return { reason: 'wrong_account', organizations: [] };
  const choices = await findChoices(claimant);
  const { organizations } = choices;
  const chosen = await choose(open, claimant, choices, wanted);
  if ('reason' in chosen) return { reason: chosen.reason, organizations };
  const { organizationId, membershipId, verdict } = chosen;
  const known = await openCode(environmentId, attempt);
  const made = known === undefined ? await makeCode(environmentId, attempt.id) : undefined;
  const linked: Attempt = {
    ...attempt,
    userId,
    proofs: verdict.authority,
    ...(organizationId !== undefined && { organizationId }),
    ...(organizationId !== undefined && membershipId !== undefined && { membershipId }),
    ...(made !== undefined && { sealedCode: made.sealedCode, codeMadeAt: clock.now() }),
  };
  const isSame = attempt.userId === linked.userId && attempt.membershipId === linked.membershipId;
  // Someone who opens the page again has the proofs of that sign-in.
  const isProved = listWords(attempt.proofs) === listWords(linked.proofs);
  if (!isSame || !isProved) unit.stage(registrations.revise(record, { attempt: linked }).write);
  return { code: made?.code ?? known ?? '', organizations };
}
