import type { SignInSettings } from '../../../../proofs/modules/email-proofs/public.ts';
import type { MessageRecord } from '../../../../kernel/messages/entity.ts';
import type { OrganizationMembershipRecord } from '../../../../tenancy/modules/memberships/public.ts';
import type { SuppressionRecord } from '../../../../outbound/messages/public.ts';
import type { FactorRecord } from '../../../../proofs/mfa/public.ts';
import type { OrganizationSso } from '../../../../tenancy/modules/organization-sso/public.ts';
import type { PasskeyRecord } from '../../../../proofs/passkeys/public.ts';
import type { PersonAttempt } from '../../../sso/public.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import type { FoundLimit } from '../limit/find.ts';

/** An event of the person, with its parsed data. */
export interface PastEvent {
  id: string;
  name: string;
  at: string;
  data: Readonly<Record<string, unknown>>;
  /** The former values of changed members. */
  previous: Readonly<Record<string, unknown>>;
}

/** Everything that an explanation is made of. */
export interface Facts {
  /** The current time in ms. */
  now: number;
  email: string;
  /** Undefined if the address has no account, or the account was deleted. */
  user: UserRecord | undefined;
  settings: SignInSettings;
  hasPassword: boolean;
  /** Names of providers whose accounts are linked. */
  providers: readonly string[];
  /** Passkeys that browsers offer at this service. */
  passkeys: readonly PasskeyRecord[];
  factors: readonly FactorRecord[];
  memberships: readonly OrganizationMembershipRecord[];
  /** The organization that the question names; `exists` is false if there is no such one. */
  named: { id: string; exists: boolean } | undefined;
  /** The organization that has verified the domain of the address. */
  domainSso: OrganizationSso | undefined;
  /** The connections and policies of the organizations of active memberships. */
  memberSso: readonly OrganizationSso[];
  /** The person's attempts at these connections, the newest first. */
  attempts: readonly PersonAttempt[];
  limits: readonly FoundLimit[];
  /** The latest messages to the address, the newest first. */
  messages: readonly MessageRecord[];
  suppression: SuppressionRecord | undefined;
  invitations: readonly { id: string; state: string; endsAt: string }[];
  /** The decision of Radar's lists, if sign-ins are compared with them. */
  risk: { verdict: 'allow' | 'challenge' | 'block'; blocklistType: string | undefined } | undefined;
  /** The latest events of the person, the newest first. */
  events: readonly PastEvent[];
}

/** Reports whether the user can begin without a mail: by a password, a provider or a passkey that is enabled. */
export function hasOwnMethod({ settings: { methods }, hasPassword, providers, passkeys }: Facts): boolean {
  if (hasPassword && methods.password) return true;
  if (providers.length > 0 && methods.social) return true;
  return methods.passkey && passkeys.some(({ verifiesUser }) => verifiesUser);
}

/** The connections through which the person must or may sign in, with the organization of each. */
export const allSso = ({ domainSso, memberSso }: Pick<Facts, 'domainSso' | 'memberSso'>): OrganizationSso[] => [
  ...new Map(
    [...(domainSso === undefined ? [] : [domainSso]), ...memberSso].map((sso) => [sso.organizationId, sso]),
  ).values(),
];

/** Reports whether the sign-in depends on a mail: for a code, or for the proof of the address. */
export function needsMail(facts: Facts): boolean {
  const { user, settings } = facts;
  if (user === undefined) return false;
  return (settings.require_email_verification && !user.emailVerified) || !hasOwnMethod(facts);
}
