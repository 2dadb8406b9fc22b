import { DAY_SECONDS } from '../../../../kernel/durations.ts';
import { clock, isoAfter } from '../../../../kernel/clock.ts';
import type { Failure } from '../../../../kernel/errors.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { newId } from '../../../../kernel/ids.ts';
import { isDeliverable } from '../../../../kernel/address.ts';
import { tooMany } from '../../../../kernel/limits/counter.ts';
import { findMailRoom } from '../../../../kernel/messages/allowance.ts';
import { composeMessage } from '../../../../kernel/messages/compose.ts';
import { invitation as template } from '../../../../kernel/messages/templates/invitation.ts';
import { claim, transfer } from '../../../../kernel/storage/unique.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { Write } from '../../../../kernel/storage/write.ts';
import type { Role } from '../../../roles/public.ts';
import { claimToken, hashToken, type InvitationRecord, invitations, openPlace, ownerFor } from './entity.ts';
import { invitationSettings } from './settings.ts';
import { makeAcceptUrl, currentPayload, newToken, openToken, sealToken } from './token.ts';

/** The data of a new invitation. */
export interface NewInvitation {
  environmentId: string;
  /** The email address, normalized by `normalizeEmail`, to which mail can be sent. */
  email: string;
  organization?: { id: string; name: string } | undefined;
  role?: Pick<Role, 'id' | 'slug'> | undefined;
  inviter?: { id: string; firstName?: string | undefined; lastName?: string | undefined } | undefined;
  /** The number of days for which the invitation is valid. */
  days: number;
  locale?: string | undefined;
  /** An earlier invitation that has the unique key of the address and is no longer pending. */
  former?: InvitationRecord | undefined;
}

/**
 * Stages a new invitation with its mail and `invitation.created`.
 * @param taken rejects the call if another caller invited the address in the meantime; without it the call is applied again
 * @returns the new invitation
 */
export async function stageInvitation(
  unit: Unit<'invitation.created'>,
  { environmentId, email, organization, role, inviter, days, locale, former }: NewInvitation,
  taken?: Failure,
): Promise<InvitationRecord> {
  const id = newId('invitation');
  const sentAt = clock.timestamp();
  const token = newToken(environmentId);
  const owner = ownerFor(organization?.id);
  const fields = {
    environmentId,
    id,
    owner,
    email,
    organizationId: organization?.id,
    roleSlug: role?.slug,
    roleId: role?.id,
    inviterUserId: inviter?.id,
    endsAt: isoAfter(sentAt, days * DAY_SECONDS),
    days,
    locale,
    token: await sealToken(environmentId, id, token),
    tokenHash: hashToken(token),
  };
  const details = { organizationId: organization?.id };
  const record = unit.announce(invitations.create(fields, sentAt), 'invitation.created', currentPayload, details);
  const place = openPlace(environmentId, record);
  unit.stage(claimToken(record));
  unit.stage(former === undefined ? claim(place, id, owner) : transfer(place, former.id, id, owner), taken);
  unit.stage(await composeMail(record, token, { organization, inviter, locale }));
  return record;
}

/** Values of a mail in addition to the invitation's own record. */
export type MailParties = Pick<NewInvitation, 'organization' | 'inviter' | 'locale'>;

/** The mail of an invitation. */
async function composeMail(record: InvitationRecord, token: string, parties: MailParties): Promise<Write> {
  const { organization, inviter, locale } = parties;
  const inviterName = [inviter?.firstName, inviter?.lastName].filter(Boolean).join(' ');
  return composeMessage({
    environmentId: record.environmentId,
    owner: ownerFor(record.organizationId),
    channel: 'email',
    to: record.email,
    template,
    locale,
    usefulSeconds: Math.ceil((Date.parse(record.endsAt) - clock.now()) / 1_000),
    values: {
      acceptUrl: await makeAcceptUrl(record.environmentId, token),
      expiresAt: record.endsAt,
      ...(organization === undefined ? {} : { organizationName: organization.name }),
      ...(inviterName === '' ? {} : { inviterName }),
    },
  });
}

/**
 * Stages the repeated sending of a pending invitation with its full validity, and `invitation.resent`.
 * @returns the new state of the invitation
 */
export async function stageResending(
  unit: Unit<'invitation.resent'>,
  record: InvitationRecord,
  { locale = record.locale, ...parties }: MailParties,
): Promise<InvitationRecord> {
  const sentAt = clock.timestamp();
  const endsAt = isoAfter(sentAt, record.days * DAY_SECONDS);
  const next = unit.announce(
    invitations.revise(record, { endsAt, locale }, sentAt),
    'invitation.resent',
    currentPayload,
    { organizationId: record.organizationId },
  );
  unit.stage(await composeMail(next, await openToken(record), { ...parties, locale }));
  return next;
}

/**
 * Reports whether an organization, or the environment, may send one more invitation to an address today. Nothing is counted: the
 * mail is counted when it is sent.
 */
export const findInvitationRoom = (environmentId: string, email: string, organizationId: string | undefined) =>
  findMailRoom(environmentId, { to: email, template, owner: ownerFor(organizationId) });

/**
 * Rejects a call whose invitation would not be sent, see {@link findInvitationRoom}.
 * @throws Failure with 429
 */
export async function requireInvitationRoom(...parts: Parameters<typeof findInvitationRoom>): Promise<void> {
  const verdict = await findInvitationRoom(...parts);
  if (!verdict.allowed) throw tooMany(verdict);
}

/** Reports whether mail to an address can arrive, as far as its domain and the environment's settings show. */
export async function isReachable(environmentId: string, email: string): Promise<boolean> {
  const { undeliverable_domains: domains } = await findSettings(environmentId, invitationSettings);
  return isDeliverable(email) && !domains.includes(email.slice(email.lastIndexOf('@') + 1));
}
