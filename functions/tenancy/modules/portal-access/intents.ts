/** The tasks of the portal, in the order of its overview. */
export const INTENTS = [
  'domain_verification',
  'sso',
  'dsync',
  'certificate_renewal',
  'audit_logs',
  'log_streams',
  'bring_your_own_key',
] as const;

/** A task of the portal. */
export type Intent = (typeof INTENTS)[number];

/** The tasks in an IT contact's invitation, which the contract names differently. */
export const intentsOfInvitation = (invited: readonly string[]): Intent[] => {
  const named = invited.map((name) => (name === 'directory_sync' ? 'dsync' : name));
  return INTENTS.filter((intent) => named.includes(intent));
};
