import { readDomain } from '../../../../kernel/address.ts';

/** An organization with its domains, as the API shows them. */
interface WithDomains {
  presented: { domains: readonly { domain: string; state?: string | undefined }[] };
}

/** The address of an account. */
interface WithAddress {
  email: string;
  /** True if the current address is proved. */
  emailVerified: boolean;
}

/** Reports whether an address is at a domain that the organization has verified. */
export function ownsAddress({ presented }: WithDomains, email: string): boolean {
  const domain = readDomain(email);
  return presented.domains.some(
    ({ domain: own, state }) => own === domain && (state === 'verified' || state === 'legacy_verified'),
  );
}

/**
 * Reports whether an organization's word covers an account: only while the account's current, proved address is at a domain that the
 * organization has verified. This is the one place that decides it: a verified domain is unique, and is its own policy.
 */
export const coversAccount = (organization: WithDomains, { email, emailVerified }: WithAddress): boolean =>
  emailVerified && ownsAddress(organization, email);

/**
 * The reason for which a user and an account at an organization's connection are linked: the organization's word while it covers the
 * user's address, or the user's own sign-in while the user is the member of that time.
 */
export interface Justification {
  by: 'organization' | 'person';
  organizationId: string;
  /** The membership at the time of the link; absent while there was none. */
  membershipId?: string | undefined;
}
