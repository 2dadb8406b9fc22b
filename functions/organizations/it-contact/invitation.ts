import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { organizations } from '../organization/entity.ts';
import { invitationByToken, invitations, type InvitationRecord, itContacts } from './entity.ts';

/** Prefix of the token in a setup link. */
export const SETUP_TOKEN_PREFIX = 'setup_';

/** An active invitation of an IT contact. */
export interface SetupInvitation {
  environmentId: string;
  organizationId: string;
  contactId: string;
  email: string;
  intents: readonly string[];
}

const isActive = (invitation: InvitationRecord | undefined): invitation is InvitationRecord =>
  (invitation?.expiresAt ?? 0) > clock.seconds();

/** Finds the active invitation of a setup link: a Query, then three GetItems. */
export async function findSetupInvitation(token: string): Promise<SetupInvitation | undefined> {
  const key = readKey(SETUP_TOKEN_PREFIX, token);
  if (key === undefined) return undefined;
  const environmentId = environmentIdOf(key.ulid);
  const invitation = await invitationByToken(environmentId, key.hash);
  if (!isActive(invitation)) return undefined;
  const { id: organizationId, contactId, intents } = invitation;
  const [organization, contact] = await awaitAll([
    organizations.get(environmentId, organizationId),
    itContacts.get(environmentId, contactId, { organizationId }),
  ]);
  if (organization === undefined || contact === undefined) return undefined;
  return { environmentId, organizationId, contactId, email: contact.email, intents };
}

/** Reports whether the invitation of an IT contact is active: one strongly consistent GetItem. */
export async function isInvited(environmentId: string, organizationId: string, contactId: string): Promise<boolean> {
  const invitation = await invitations.get(environmentId, organizationId);
  return isActive(invitation) && invitation.contactId === contactId;
}

/** Ends the invitation of an IT contact who has finished. */
export async function stageEndOfInvitation(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  organizationId: string,
  contactId: string,
): Promise<void> {
  const invitation = await invitations.get(environmentId, organizationId);
  if (invitation?.contactId === contactId) unit.stage(invitations.remove(invitation));
}
