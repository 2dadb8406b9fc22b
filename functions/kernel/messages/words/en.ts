/**
 * The texts of mails and SMS in English. Placeholders in braces are replaced by values. Every other language has the same
 * keys.
 */
export const en = {
  'layout.fallback': 'If the button does not work, open this address:',
  'layout.questions': 'Questions? Write to {address}.',
  'request.lead': 'This was requested from:',
  'request.browser': 'Device',
  'request.address': 'IP address',
  'request.time': 'Time',
  'code.subject': '{code} is your code for {brand}',
  'code.note': 'The code works once and expires in {time}. We’ll never ask you for this code.',
  'magic_auth.subject': 'Your sign-in code for {brand}',
  'magic_auth.heading': 'Your sign-in code',
  'magic_auth.ask': 'Enter this code at {brand} to sign in.',
  'magic_auth.unexpected': 'If you did not try to sign in, you can ignore this: no one can sign in without the code.',
  'email_verification.subject': 'Confirm your email address for {brand}',
  'email_verification.heading': 'Confirm your email address',
  'email_verification.ask': 'Enter this code at {brand} to confirm that this address is yours.',
  'email_verification.unexpected':
    'If you did not request this, someone may have mistyped an address. You can ignore this email.',
  'email_change.subject': 'Confirm your new email address for {brand}',
  'email_change.heading': 'Confirm your new email address',
  'email_change.ask': 'Enter this code at {brand} to use this address for your account from now on.',
  'email_change.unexpected': 'If you did not ask for this, you can ignore it: nothing changes without the code.',
  'radar_challenge.subject': 'Is this you signing in to {brand}?',
  'radar_challenge.heading': 'Verify it’s you',
  'radar_challenge.ask':
    'Someone is signing in to your account at {brand} from a new device. If this is you, enter this code there.',
  'radar_challenge.unexpected':
    'If this isn’t you, don’t share the code, and change your password: someone else may know it.',
  'password_reset.subject': 'Choose a new password for {brand}',
  'password_reset.heading': 'Choose a new password',
  'password_reset.ask': 'Someone asked to reset the password of your account at {brand}.',
  'password_reset.button': 'Choose a new password',
  'password_reset.note':
    'The link works once and expires in {time}. Anyone who has it can use it, so do not forward it.',
  'password_reset.unexpected': 'If this wasn’t you, you can ignore this email. Your password has not changed.',
  'existing_account.subject': 'You already have an account at {brand}',
  'existing_account.happened':
    'Someone, probably you, tried to create an account at {brand} with this address. You already have one.',
  'existing_account.next': 'Go back and sign in. Forgot your password? Reset it there.',
  'existing_account.button': 'Go to {brand}',
  'existing_account.otherwise':
    'If this wasn’t you, you don’t need to do anything: nothing was changed, and we did not reveal that you have an account.',
  'password_changed.subject': 'Your password for {brand} was changed',
  'password_changed.happened':
    'The password of your account at {brand} was changed on {when}. Other devices are signed out.',
  'password_changed.otherwise': 'If this wasn’t you, reset your password now and contact support.',
  'email_changed.subject': 'Your email address for {brand} was changed',
  'email_changed.happened':
    'Your account at {brand} has used the address {email} since {when}. You can no longer sign in with this one.',
  'email_changed.otherwise': 'If this wasn’t you, contact support immediately.',
  'wrong_codes.subject': 'Wrong codes at a sign-in to {brand}',
  'wrong_codes.happened':
    'Someone passed the first step of a sign-in to your account at {brand}, such as the password, and entered several wrong codes at the second step, most recently on {when}. None of these codes was accepted.',
  'wrong_codes.otherwise': 'If this wasn’t you, change your password now and contact support.',
  'account_code.subject': 'Confirm a change to your {brand} account',
  'account_code.heading': 'Confirm it’s you',
  'account_code.ask': 'Enter this code on your account page at {brand} to change your account.',
  'account_code.unexpected':
    'If you did not ask for this, someone is signed in to your account: change your password now.',
  'passkey_added.subject': 'A passkey was added to your {brand} account',
  'passkey_added.happened':
    'The passkey “{name}” was added to your account at {brand} on {when}. You can sign in with it from now on.',
  'passkey_added.otherwise': 'If this wasn’t you, change your password now and contact support.',
  'recovery_code_used.subject': 'A recovery code for your {brand} account was used',
  'recovery_code_used.happened':
    'A recovery code was used to sign in to your account at {brand} on {when}. Codes left: {left}.',
  'recovery_code_used.otherwise': 'If this wasn’t you, change your password and renew your recovery codes now.',
  'recovery_codes.subject': 'New recovery codes for your {brand} account',
  'recovery_codes.happened':
    'New recovery codes were created for your account at {brand} on {when}. Earlier codes no longer work.',
  'recovery_codes.otherwise': 'If this wasn’t you, change your password now and contact support.',
  'account_changed.subject': 'Your {brand} account was changed',
  'account_changed.name_changed': 'Your name was changed.',
  'account_changed.password_set': 'A password was set. You can sign in with it now.',
  'account_changed.authenticator_added': 'An authenticator app was added. You need its codes when you sign in.',
  'account_changed.authenticator_removed': 'An authenticator app or phone number was removed from your sign-in.',
  'account_changed.passkey_removed': 'The passkey “{name}” was removed. You can no longer sign in with it.',
  'account_changed.session_ended': 'One of your devices was signed out.',
  'account_changed.sessions_ended': 'All of your devices were signed out.',
  'account_changed.connected_account_removed':
    'Your {name} account was disconnected. You can no longer sign in with it.',
  'account_changed.single_sign_on_linked':
    'The single sign-on of {name} was connected to your account. It signs you in to this organization.',
  'account_changed.organization_left': 'You left the organization {name}.',
  'account_changed.data_downloaded': 'A copy of your data was downloaded.',
  'account_changed.account_deleted': 'Your account and its data were deleted.',
  'account_changed.time': 'This happened on {when}, on your account page.',
  'account_changed.otherwise': 'If this wasn’t you, change your password now and contact support.',
  'notice.button': 'Go to {brand}',
  'impersonation.subject': 'Support opened a session in your {brand} account',
  'impersonation.happened':
    'On {when} the support team of {brand} signed in to your account to help you. It can see what you see, for an hour at most, and cannot change your password, address or second factors.',
  'impersonation.otherwise': 'If you did not ask for help, contact support.',
  'factor_reset.subject': 'A second factor of your {brand} account was removed',
  'factor_reset.happened':
    'Support removed a second factor from your account at {brand} on {when}, because someone asked for it.',
  'factor_reset.otherwise': 'If this wasn’t you, change your password now and contact support.',
  'factor_reset_pending.subject': 'A second factor of your {brand} account will be removed',
  'factor_reset_pending.happened':
    'Support will remove a second factor from your account at {brand} on {when}, because someone asked for it.',
  'factor_reset_pending.otherwise': 'If this wasn’t you, stop it now: your second factor then stays.',
  'factor_reset_pending.button': 'Stop the removal',
  'invitation.subject': '{inviter} invited you to {place}',
  'invitation.subject_plain': 'You are invited to {place}',
  'invitation.lead': '{inviter} invites you to join {place} on {brand}.',
  'invitation.lead_plain': 'You are invited to join {place} on {brand}.',
  'invitation.button': 'Accept invitation',
  'invitation.until': 'This link expires on {when} and can be used once, by you only.',
  'invitation.unexpected': 'If you did not expect this, you can ignore it. Nothing happens until the link is used.',
  'it_contact.subject': 'Set up {tasks} for {organization}',
  'it_contact.preheader': '{brand} asks you to finish the setup. The link expires on {when}.',
  'it_contact.heading': 'Set up {organization} with {brand}',
  'it_contact.lead': 'You are an IT contact of {organization}. {brand} asks you to set up:',
  'it_contact.sso': 'single sign-on',
  'it_contact.directory_sync': 'directory sync',
  'it_contact.log_streams': 'log streams',
  'it_contact.domain_verification': 'domain verification',
  'it_contact.bring_your_own_key': 'your own encryption key',
  'it_contact.button': 'Start setup',
  'it_contact.note': 'The link expires on {when}. Anyone who has it can use it, so do not forward it.',
  'it_contact.unexpected': 'If you did not expect this, you can ignore it: nothing changes until the link is used.',
  'team.subject': 'You administer {team} at {brand}',
  'team.lead': '{brand} has created the team {team} with you as its administrator. Its client ids:',
  'team.staging': 'Staging',
  'team.production': 'Production',
  'team.keys': 'You get the API keys of both from {brand}. They are never in an email.',
  'team.button': 'Read the API reference',
  'team.unexpected': 'If you did not expect this, you can ignore this email.',
  'waitlist.subject': 'You are on the waitlist of {brand}',
  'waitlist.lead': '{email} is on the waitlist of {brand}.',
  'waitlist.next': 'We’ll email you when your account is ready.',
  'waitlist.unexpected': 'If this wasn’t you, you can ignore this email. No account has been created.',
  'approval.subject': 'A proposal in {environment} was approved by a command',
  'approval.lead':
    'Someone with access to the table of the stage approved {operation} in {environment} ({id}), in place of a second operator. Its author can carry it out within 24 hours.',
  'break_glass.subject': 'Emergency access to {environment} was opened',
  'break_glass.lead':
    'For one hour, someone with access to the table of the stage can see and change everything in {environment} ({id}) in the console.',
  'break_glass.reason': 'The reason that was given: {reason}',
  'break_glass.next': 'If you cannot explain this, find out who has used the AWS account, and remove that access.',
  'webhook_disabled.subject': 'A webhook endpoint of {environment} was disabled',
  'webhook_disabled.preheader': 'Events no longer reach {url}.',
  'webhook_disabled.heading': 'A webhook endpoint was disabled',
  'webhook_disabled.lead': 'Events of {environment} no longer reach {url} ({id}).',
  'webhook_disabled.gone': 'It responded with 410 Gone, which means that it wants no further events.',
  'webhook_disabled.failing': 'Every delivery to it has failed for five days.',
  'webhook_disabled.next':
    'Fix the receiver, then enable the endpoint again with {call}. Read the events since then from GET /events; failed deliveries can be resent.',
  'sms.code': '{code} is your {brand} code. Never share it with anyone.',
} as const;

/** A text of mails and SMS. */
export type MessageKey = keyof typeof en;

/** The texts of mails and SMS in one language. */
export type MessageWords = Readonly<Record<MessageKey, string>>;
