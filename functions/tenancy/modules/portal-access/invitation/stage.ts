import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { MintingVerdict } from '../../trust/public.ts';
import { type InvitationRecord, invitations } from './entity.ts';

/** Stages the invitation of an organization's IT contact, in place of an expired one. */
export function stageInvitation(
  unit: Pick<Unit, 'stage'>,
  { facts: { organizationId }, authority }: MintingVerdict<string>,
  { environmentId, former }: { environmentId: string; former: InvitationRecord | undefined },
  given: Pick<InvitationRecord, 'contactId' | 'intents' | 'tokenHash' | 'expiresAt'>,
): void {
  const content = { ...given, proofs: authority };
  const { write } =
    former === undefined
      ? invitations.create({
          environmentId,
          id: organizationId,
          owner: ownerKey('organization', organizationId),
          ...content,
        })
      : invitations.revise(former, content);
  unit.stage(write);
}

/** Stages the end of an invitation, which also ends the sessions of its link. It has no effect on that of another contact. */
export function stageEndOfInvitation(
  unit: Pick<Unit, 'stage'>,
  invitation: InvitationRecord | undefined,
  contactId: string,
): void {
  if (invitation?.contactId === contactId) unit.stage(invitations.remove(invitation));
}
