import { area } from '../../kernel/area.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { onWork, WORK_TIMEOUT_SECONDS } from '../../kernel/storage/work.ts';
import { messagesSettings } from '../../kernel/messages/settings.ts';
import { emailChangeOperations } from '../../proofs/modules/email-proofs/email-change/operations.ts';
import { corsOriginOperations } from '../../tenancy/modules/client-settings/cors-origin/operations.ts';
import { hostedResourceOperations } from '../../tenancy/modules/client-settings/hosted-oauth-resource/operations.ts';
import { openIdMetadataOperations } from '../modules/authorization-server/openid-discovery/operations.ts';
import { emailVerificationOperations } from '../../proofs/modules/email-proofs/email-verification/operations.ts';
import { identityOperations } from '../../proofs/modules/credentials/identity/operations.ts';
import { invitationSettings } from '../../tenancy/modules/invitations/public.ts';
import { invitationOperations } from '../../tenancy/modules/invitations/invitation/operations.ts';
import { magicAuthOperations } from '../../proofs/modules/email-proofs/magic-auth/operations.ts';
import { organizationMembershipOperations } from '../../tenancy/modules/memberships/organization-membership/operations.ts';
import { passwordResetOperations } from '../../proofs/modules/email-proofs/password-reset/operations.ts';
import { redirectUriOperations } from '../../tenancy/modules/client-settings/redirect-uri/operations.ts';
import { passwordSettings } from '../../proofs/modules/credentials/public.ts';
import { holderCompletion, roleReplacement } from '../../tenancy/roles/public.ts';
import { UpdateUserManagementSettings, userManagementSettings } from '../../tenancy/modules/users/public.ts';
import { userOperations } from './user/operations.ts';
import { waitlistOperations } from '../../tenancy/modules/invitations/waitlist/operations.ts';

export const userManagementArea = area({
  name: 'user-management',
  group: 'sign-in',
  summary: 'Users, their credentials and their organization memberships',
  errorForm: messages,
  needs: ['table', 'keys', 'base-url'],
  operations: [
    ...userOperations,
    ...organizationMembershipOperations,
    ...identityOperations,
    ...emailChangeOperations,
    ...redirectUriOperations,
    ...corsOriginOperations,
    ...hostedResourceOperations,
    ...openIdMetadataOperations,
    ...invitationOperations,
    ...settingsOperations(invitationSettings, {
      id: 'invitations',
      path: '/x/user-management/invitations/settings',
      subject: 'invitations',
      description: '`accept_url` applies to new mails; links that were already sent do not change.',
    }),
    ...waitlistOperations,
    ...emailVerificationOperations,
    ...magicAuthOperations,
    ...passwordResetOperations,
    ...settingsOperations(passwordSettings, {
      id: 'passwords',
      path: '/x/user-management/passwords/settings',
      subject: 'passwords',
      description:
        'Existing passwords are not affected. `reset_url` is the page to which reset mails link, with the query ' +
        'member `token`; null means the hosted page.',
    }),
    ...settingsOperations(messagesSettings, {
      id: 'messages',
      path: '/x/user-management/messages/settings',
      subject: 'mails and SMS',
      description:
        'The settings apply to new messages. The operator sets the sender’s email address when the service is deployed.',
    }),
    ...settingsOperations(userManagementSettings, {
      id: 'user_management',
      path: '/x/user-management/settings',
      subject: 'users and memberships',
      description: 'Roles are not settings: see `POST /authorization/roles`.',
      body: UpdateUserManagementSettings,
    }),
  ],
  workers: [
    {
      name: 'replaceRoles',
      summary: 'Gives the memberships that had a deleted role its replacement, and records the holders of older ones',
      on: onWork(roleReplacement, holderCompletion),
      needs: ['table'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
  ],
});
