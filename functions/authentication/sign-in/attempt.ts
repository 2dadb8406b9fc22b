import type { AuthorizationRequest } from '../login-flow/flow.ts';
import type { Pending, PendingSecrets, Step } from '../pending-authentication/pending.ts';
import type { MembershipRoles, OrganizationMembershipRecord } from '../../memberships/public.ts';
import type { SignInRisk } from '../../radar/public.ts';
import type { UserRecord } from '../../users/public.ts';
import type { Method } from './method.ts';
import type { ClientContext } from './origin.ts';
import type { Prefetched } from './prefetch.ts';
import type { RequiredSso } from '../../organization-sso/public.ts';
import type { OrganizationSummary } from '../../organizations/public.ts';

/** A sign-in after its first proof: the input of the engine. */
export interface Attempt extends ClientContext {
  environmentId: string;
  /** As read in this call, or as staged in its unit. */
  user: UserRecord;
  method: Method;
  /** The provider for `oauth`, in the contract's spelling. */
  provider?: string | undefined;
  proofs: Proofs;
  /** The requested organization, of which the user must be an active member. */
  organizationId?: string | undefined;
  /** The organization of the connection through which the user has just signed in; absent for every other method. */
  ssoOrganizationId?: string | undefined;
  /** The single sign-on that the user's address requires, if it was read already. */
  requiredSso?: Promise<RequiredSso | undefined> | undefined;
  /** The membership of that organization, if this unit created or changed it. */
  membership?: OrganizationMembershipRecord | undefined;
  /** True if a second factor is required although the method asks for none: the identity provider showed none. */
  needsFactor?: boolean | undefined;
  /** Accepted when the sign-in is complete; must be for the user's address. */
  invitationToken?: string | undefined;
  /** An account at a provider: linked when the sign-in, which verified its address, is complete. */
  identity?: PendingSecrets['identity'];
  /** The user of that account (none, or a deleted one) when the user was found by email, if this unit did that. */
  holder?: { userId: string | undefined } | undefined;
  /** The provider's tokens for its own API: for the code that ends the sign-in. */
  oauthTokens?: PendingSecrets['oauthTokens'];
  /** The sign-in flow in a browser; absent for the API. */
  flow?: AuthorizationRequest | undefined;
  /** Prefetched data of this user. */
  read?: Prefetched | undefined;
  /** The judgement of Radar, in the call of the first proof. */
  risk?: SignInRisk | undefined;
  /** The attempt of Radar, in a call that continues. */
  radarAttemptId?: string | undefined;
  /** The time of the first proof, in milliseconds since the epoch; default now. */
  authenticatedAt?: number | undefined;
}

/** The proofs of a sign-in. */
export interface Proofs {
  /** The user has access to the mailbox: by a code or link sent there, or by a provider's assertion. */
  emailVerified: boolean;
  /** A second factor. */
  mfa: boolean;
  /** The new device belongs to the user. */
  device?: boolean | undefined;
}

/** The state of a sign-in. */
export type SignIn = Ready | Waiting | RejectedSignIn;

/** A sign-in for which a session may be opened. */
export interface Ready {
  kind: 'ready';
  /** As staged. */
  user: UserRecord;
  organizationId?: string | undefined;
  /** Of the organization. */
  membership?: OrganizationMembershipRecord | undefined;
  /** Present if it was read already. */
  organization?: OrganizationSummary | undefined;
  /** The roles that the organization can give, likewise. */
  roles?: MembershipRoles | undefined;
  /** Slugs of the feature flags that are on for the user in the organization, likewise. */
  flags?: readonly string[] | undefined;
}

/** A sign-in with a remaining step. */
export interface Waiting {
  kind: 'pending';
  code: Step;
  /** The token that continues the sign-in; shown once. */
  token: string;
  /** Further members of the contract's error, in its spelling. */
  members: Readonly<Record<string, unknown>>;
  pending: Pending;
}

/** A rejected sign-in. */
export interface RejectedSignIn {
  kind: 'rejected';
  code: RejectionReason;
  retryAfterSeconds?: number;
  /** For `sso_required`. */
  required?: RequiredSso;
}

/** The reasons for rejecting a sign-in. Then nothing must be committed. */
export type RejectionReason =
  | 'invitation_invalid'
  | 'invitation_cannot_be_used_for_email'
  | 'organization_not_found'
  | 'organization_membership_not_found'
  /** The account at the provider belongs to another user by now. */
  | 'identity_taken'
  /** The user has to sign in through a connection of the organization. */
  | 'sso_required'
  /** A required code cannot be sent because of a limit. */
  | 'too_many_requests';
