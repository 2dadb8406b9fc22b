import type { Template } from '../template.ts';
import { accountChangedMail } from './account-changed.ts';
import { accountCodeMail } from './account-code.ts';
import { approvalByCommandMail } from './approval-by-command.ts';
import { breakGlassMail } from './break-glass.ts';
import { emailChangedMail, passwordChangedMail, wrongFactorCodesMail } from './account-notice.ts';
import { emailChangeMail } from './email-change.ts';
import { emailVerificationMail } from './email-verification.ts';
import { existingAccountMail } from './existing-account.ts';
import { factorResetMail, pendingFactorResetMail } from './factor-reset.ts';
import { impersonationMail } from './impersonation.ts';
import { invitation } from './invitation.ts';
import { itContactInvitation } from './it-contact-invitation.ts';
import { magicAuthMail } from './magic-auth.ts';
import { passkeyAddedMail, recoveryCodesMail, recoveryCodeUsedMail } from './factor-notice.ts';
import { passwordResetMail } from './password-reset.ts';
import { radarChallengeMail } from './radar-challenge.ts';
import { smsCode } from './sms-code.ts';
import { teamInvitation } from './team-invitation.ts';
import { waitlistConfirmation } from './waitlist-confirmation.ts';
import { webhookEndpointDisabled } from './webhook-endpoint-disabled.ts';

export const TEMPLATES = [
  accountChangedMail,
  accountCodeMail,
  approvalByCommandMail,
  breakGlassMail,
  emailChangedMail,
  emailChangeMail,
  emailVerificationMail,
  existingAccountMail,
  factorResetMail,
  impersonationMail,
  invitation,
  itContactInvitation,
  magicAuthMail,
  passkeyAddedMail,
  passwordChangedMail,
  passwordResetMail,
  pendingFactorResetMail,
  radarChallengeMail,
  recoveryCodesMail,
  recoveryCodeUsedMail,
  smsCode,
  teamInvitation,
  waitlistConfirmation,
  webhookEndpointDisabled,
  wrongFactorCodesMail,
] as const;

const byName: ReadonlyMap<string, Template> = new Map(
  TEMPLATES.map((template) => [template.name, template as unknown as Template]),
);

/** The template with a name; undefined for one that only a newer release has. */
export function findTemplate(name: string): Template | undefined {
  return byName.get(name);
}

/** The names of all templates. */
export const templateNames = (): string[] => [...byName.keys()];
