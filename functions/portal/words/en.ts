/** The portal's texts in English: placeholders in braces are replaced by values. Every other language has the same keys. */
export const en = {
  'intent.domain_verification': 'Domain verification',
  'intent.sso': 'Single sign-on',
  'intent.dsync': 'Directory sync',
  'intent.certificate_renewal': 'Certificate renewal',
  'intent.audit_logs': 'Audit logs',
  'intent.log_streams': 'Log streams',
  'intent.bring_your_own_key': 'Bring your own key',
  'start.lead': 'You are about to set up {organization} at {brand}:',
  'start.warning': 'Only continue if you asked for this link at {brand}, or if someone you trust sent it to you.',
  'start.submit': 'Start setup',
  'overview.lead': 'Choose what to set up. You can come back to this page at any time.',
  'nav.label': 'Portal',
  'nav.overview': 'All tasks',
  'nav.finish': 'Finish setup',
  'finish.title': 'Setup is finished',
  'finish.ask': 'Finish setup?',
  'finish.ask_lead': 'What you have saved stays. You need a new link to come back.',
  'copy.do': 'Copy',
  'copy.done': 'Copied',
  'form.rejected': 'This could not be saved: {message}',
  'form.invalid': 'Check what you entered: {message}',
  'domains.lead': 'Prove that your organization owns its domains by adding a record to their DNS.',
  'domains.field': 'Domain',
  'domains.hint': 'For example: example.com',
  'domains.add': 'Add domain',
  'domains.record': 'Add this record at your DNS provider. It can take a few minutes until it is visible.',
  'domains.record_type': 'Type',
  'domains.record_name': 'Name',
  'domains.record_value': 'Value',
  'domains.check': 'Check now',
  'domains.remove': 'Remove {domain}',
  'domains.verified': 'Verified',
  'domains.pending': 'Waiting for the record',
  'domains.failed': 'Not verified',
  'domains.added': 'The domain was added. Create its DNS record now.',
  'domains.now_verified': 'The domain is verified.',
  'domains.removed': 'The domain was removed.',
  'domains.not_found':
    'The record of {domain} was not found yet. Check name and value, and try again in a few minutes: we also keep looking.',
  'domains.taken': 'This domain was already added, or another organization has verified it.',
} as const;

/** A text of the portal. */
export type PortalWord = keyof typeof en;

/** The portal's texts in one language. */
export type PortalWords = Readonly<Record<PortalWord, string>>;
