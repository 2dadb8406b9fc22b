import type { SsoSignInRecord } from './entity.ts';

/** The events of sign-ins through connections. */
export const ssoEvents = [
  'authentication.sso_started',
  'authentication.sso_succeeded',
  'authentication.sso_failed',
] as const;

/** The data of an event of a sign-in. */
export function ssoEvent<const Status extends string, Email extends string | null>(
  status: Status,
  signIn: Pick<SsoSignInRecord, 'ipAddress' | 'userAgent' | 'organizationId' | 'connectionId'>,
  { email, userId = null }: { email: Email; userId?: string | null },
) {
  return {
    type: 'sso' as const,
    status,
    ip_address: signIn.ipAddress ?? null,
    user_agent: signIn.userAgent ?? null,
    user_id: userId,
    email,
    sso: { organization_id: signIn.organizationId, connection_id: signIn.connectionId, session_id: null },
  };
}
