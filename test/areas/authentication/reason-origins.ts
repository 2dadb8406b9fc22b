/** The party that may change the cause of a reason, the path that shows it, and whether its line has a time. */
type Origin = readonly [changedBy: string, source: RegExp, hasTime: boolean];

const SETTINGS: Origin = ['environment', /^\/x\/authentication\/settings$/, false];
const USER = /^\/user_management\/users\/user_\w+$/;
const EVENTS = /^\/x\/events\?subject=/;
const FACTORS = /^\/user_management\/users\/user_\w+\/auth_factors$/;
const LIMITS: Origin = ['operator', /^\/x\/user-management\/users\/user_\w+\/limits$/, true];
const CONNECTION: Origin = ['organization_admin', /^\/connections\/conn_\w+$/, false];
const ATTEMPT = /^\/x\/connections\/conn_\w+\/attempts\/\w+$/;
const SUPPRESSION: Origin = ['operator', /^\/x\/messages\/suppressions\/\w+$/, true];
const MESSAGES: Origin = ['operator', /^\/x\/messages\?to=ada%40acme\.example$/, true];
const INVITATION = /^\/user_management\/invitations\/invitation_\w+$/;
const MEMBERSHIP = /^\/user_management\/organization_memberships\/om_\w+$/;
const MEMBERSHIPS = /^\/user_management\/organization_memberships\?user_id=user_\w+$/;

const ORIGINS: Readonly<Record<string, Origin>> = {
  account_missing: ['operator', /^\/user_management\/users$/, false],
  account_deleted: ['operator', EVENTS, true],
  sign_up_disabled: SETTINGS,
  invitation_pending: ['user', INVITATION, true],
  invitation_revoked: ['operator', INVITATION, true],
  invitation_expired: ['operator', INVITATION, true],
  password_disabled: SETTINGS,
  password_missing: ['user', USER, false],
  magic_auth_disabled: SETTINGS,
  no_usable_method: SETTINGS,
  sso_required_by_domain: CONNECTION,
  sso_required_by_organization: CONNECTION,
  connection_inactive: CONNECTION,
  connection_certificates_expired: CONNECTION,
  sso_attempt_pending: ['user', ATTEMPT, true],
  sso_attempt_failed: ['identity_provider', ATTEMPT, true],
  radar_listed: ['environment', /^\/radar\/lists$/, false],
  address_unverified: ['user', USER, false],
  message_sent: ['user', MESSAGES[1], true],
  address_changed_recently: ['operator', EVENTS, true],
  address_bounced: SUPPRESSION,
  address_complained: SUPPRESSION,
  factor_totp: ['user', FACTORS, true],
  factor_sms: ['user', FACTORS, true],
  factor_unproven: ['user', FACTORS, false],
  factor_enrollment_required: ['user', SETTINGS[1], false],
  organization_missing: ['none', /^\/organizations$/, false],
  membership_missing: ['operator', MEMBERSHIPS, false],
  membership_inactive: ['operator', MEMBERSHIP, true],
  membership_pending: ['user', MEMBERSHIP, true],
  membership_inactive_by_directory: ['identity_provider', MEMBERSHIP, true],
  organization_selection: ['operator', MEMBERSHIPS, false],
  action_denied: ['environment', EVENTS, true],
  password_wrong: ['user', EVENTS, true],
  code_wrong: ['user', EVENTS, true],
  last_proof_succeeded: ['none', EVENTS, true],
};

/** The origin of a reason; those of limits and of messages are alike. */
export function findOrigin(reason: string): Origin {
  const found =
    ORIGINS[reason] ?? (reason.startsWith('limit_') ? LIMITS : reason.startsWith('message_') ? MESSAGES : undefined);
  if (found === undefined) throw new Error(`The table has no origin of ${reason}`);
  return found;
}
