import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { operation } from '../../../kernel/operation.ts';
import { settings } from '../../../kernel/settings.ts';

/** The address of setup links before there was a portal: mails that were sent have it. */
export const showInvitation = operation({
  id: 'it_contacts.show_invitation',
  method: 'GET',
  path: '/x/it_contact_invitations/{token}',
  summary: 'A former URL of setup links of IT contacts, which redirects to the portal',
  auth: anyCaller,
  responses: { 302: null },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ params }) {
    const location = `${settings().GATEHOUSE_BASE_URL}/portal/links/${encodeURIComponent(params.token)}`;
    return { status: 302, headers: { location } };
  },
});

export const itContactPageOperations = [showInvitation] as const;
