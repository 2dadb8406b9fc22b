import type { AuthorizationRequest, Pending, PendingSecrets, Step } from '../../sign-in-flows/public.ts';
import type { MembershipRoles, OrganizationMembershipRecord } from '../../../../tenancy/modules/memberships/public.ts';
import type { SignInRisk } from '../../../../proofs/radar/public.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import type { Method } from '../../../../proofs/modules/sign-in-checks/public.ts';
import type { ClientContext } from '../../../../tenancy/modules/known-devices/public.ts';
import type { RequiredSso } from '../../../../tenancy/modules/organization-sso/public.ts';
import type { Prefetched } from './prefetch.ts';
import type { OrganizationSummary } from '../../../../tenancy/organizations/public.ts';
import type { Authority, Entry, Verdict } from '../../../../tenancy/modules/trust/public.ts';

/** A sign-in after its first proof, which `completeSignIn` processes. */
export interface Attempt extends ClientContext {
  environmentId: string;
  /** The user as read in this call, or as staged in its unit of work. */
  user: UserRecord;
  method: Method;
  /**
   * The proofs from before this call, if they are more than the method says: at an identity provider, in an earlier step, or in the
   * browser's session (`readAuthority`).
   */
  authority?: Authority | undefined;
  /** True if this sign-in has just created the user. */
  isNew?: boolean | undefined;
  /** The provider for the method `oauth`, in the contract's spelling. */
  provider?: string | undefined;
  proofs: Proofs;
  /** The organization that the request named, of which the user must be an active member. */
  organizationId?: string | undefined;
  /** The organization of the connection through which the user has just signed in; absent for every other method. */
  ssoOrganizationId?: string | undefined;
  /** The single sign-on that the user's address requires, if it was read already. */
  requiredSso?: Promise<RequiredSso | undefined> | undefined;
  /** The membership in that organization, if this unit of work created or changed it. */
  membership?: OrganizationMembershipRecord | undefined;
  /** True if a second factor is required by the connection although the identity provider reported none. */
  needsFactor?: boolean | undefined;
  /** The hash of the second factors with which the user trusted the browser of the attempt; absent without that trust. */
  trustedFactors?: string | undefined;
  /** An invitation that is accepted when the sign-in is complete, and must be for the user's address. */
  invitationToken?: string | undefined;
  /** An account at a provider, which is linked when the sign-in, which has verified its address, is complete. */
  identity?: PendingSecrets['identity'];
  /**
   * The user that this account is linked to (none, or a deleted one), if this unit of work has read it while it found the
   * user by email.
   */
  holder?: { userId: string | undefined } | undefined;
  /** The provider's tokens for its own API, which the code of the sign-in carries to the application. */
  oauthTokens?: PendingSecrets['oauthTokens'];
  /** The sign-in flow in a browser; absent for the API. */
  flow?: AuthorizationRequest | undefined;
  /** Data about this user that were read in advance. */
  read?: Prefetched | undefined;
  /** The decision of Radar, in the call with the first proof. */
  risk?: SignInRisk | undefined;
  /** The attempt in Radar, in a call that continues a sign-in. */
  radarAttemptId?: string | undefined;
  /** The time of the first proof, in milliseconds since the epoch; the current time by default. */
  authenticatedAt?: number | undefined;
}

/** The proofs of a sign-in. */
export interface Proofs {
  /** True if the user has access to the mailbox, proven by a code or link sent there or by a provider. */
  emailVerified: boolean;
  /** True if the user has passed a second factor. */
  mfa: boolean;
  /** True if the user has confirmed a new device by a code. */
  device?: boolean | undefined;
}

/** The state of a sign-in. */
export type SignIn = Ready | Waiting | RejectedSignIn;

/** A complete sign-in, for which a session may be opened. */
export interface Ready {
  kind: 'ready';
  /** The user in the state that the unit of work writes. */
  user: UserRecord;
  organizationId?: string | undefined;
  /** The permission to enter the organization, or none, with its proofs. */
  verdict: Verdict<Entry>;
  /** The user's membership in the organization. */
  membership?: OrganizationMembershipRecord | undefined;
  /** The organization, if it was read already. */
  organization?: OrganizationSummary | undefined;
  /** The roles that the organization can assign, if they were read already. */
  roles?: MembershipRoles | undefined;
  /** Slugs of the feature flags that are on for the user in the organization, if they were evaluated already. */
  flags?: readonly string[] | undefined;
}

/** A sign-in with a remaining step. */
export interface Waiting {
  kind: 'pending';
  code: Step;
  /** The token that continues the sign-in; it is shown only once. */
  token: string;
  /** Further members of the contract's error, under their names there. */
  members: Readonly<Record<string, unknown>>;
  pending: Pending;
}

/** A rejected sign-in. */
export interface RejectedSignIn {
  kind: 'rejected';
  code: RejectionReason;
  retryAfterSeconds?: number;
  /** The message of the environment's action for the person, for `access_denied`. */
  message?: string | undefined;
  /** The connections of the organization, for `sso_required`. */
  required?: RequiredSso;
}

/** The reasons for rejecting a sign-in. After a rejection nothing may be committed. */
export type RejectionReason =
  | 'invitation_invalid'
  | 'invitation_cannot_be_used_for_email'
  | 'organization_not_found'
  | 'organization_membership_not_found'
  /** The account at the provider belongs to another user in the meantime. */
  | 'identity_taken'
  /** The user has to sign in through a connection of the organization. */
  | 'sso_required'
  /** The organization does not accept what was proved: the user has to use a method of the environment. */
  | 'authentication_method_not_allowed'
  /** The user has to prove a second factor of this service. */
  | 'mfa_enrollment'
  /** The account has a stronger method or a second factor, which the user has to use before an account is linked to it. */
  | 'own_sign_in_required'
  /** Another account at the same connection is linked to the user. */
  | 'second_subject'
  /** The sign-in is not that of the user who has to sign in before an account is linked, or not the demanded one. */
  | 'wrong_account'
  /** An action of the environment has denied the sign-in or the registration. */
  | 'access_denied'
  /** The only second factor of the user is a passkey, for which a grant cannot ask. */
  | 'passkey_required'
  /** A required code cannot be sent because of a limit. */
  | 'too_many_requests';
