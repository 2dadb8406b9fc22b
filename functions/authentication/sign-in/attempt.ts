import type { AuthorizationRequest } from '../login-flow/flow.ts';
import type { Pending, PendingSecrets, Step } from '../pending-authentication/pending.ts';
import type { OrganizationMembershipRecord } from '../../memberships/public.ts';
import type { UserRecord } from '../../users/public.ts';
import type { Method } from './method.ts';
import type { Origin } from './origin.ts';
import type { ReadAhead } from './read-ahead.ts';
import type { OrganizationSummary } from '../../organizations/public.ts';

/** A sign-in whose first proof was given: what the engine decides the rest of. */
export interface Attempt extends Origin {
  environmentId: string;
  /** As read in this call, or as staged in its unit. */
  user: UserRecord;
  method: Method;
  /** Of `oauth`, in the contract's spelling. */
  provider?: string | undefined;
  proofs: Proofs;
  /** Where the user wants to be signed in: an organization of which the user must be an active member. */
  organizationId?: string | undefined;
  /** Accepted when the sign-in is complete; must be for the user's address. */
  invitationToken?: string | undefined;
  /** An account at a provider: linked when the sign-in is complete, whose address was proved in it. */
  identity?: PendingSecrets['identity'];
  /** Who had that account (nobody, or a deleted user) when the user was sought by email, where this unit sought it. */
  holder?: { userId: string | undefined } | undefined;
  /** What the provider gave for its own API: for the code that the sign-in ends with. */
  oauthTokens?: PendingSecrets['oauthTokens'];
  /** The sign-in through a browser that this belongs to; absent at the API. */
  flow?: AuthorizationRequest | undefined;
  /** What was asked for ahead; of this user. */
  read?: ReadAhead | undefined;
  /** When the first proof was given, in milliseconds since the epoch; now, where absent. */
  authenticatedAt?: number | undefined;
}

/** What was proved. */
export interface Proofs {
  /** That the user reads mail at the address: by a code or link from there, or a provider that says so. */
  emailVerified: boolean;
  /** A second factor. */
  mfa: boolean;
  /** That a device which was not seen before is the user's. */
  device?: boolean | undefined;
}

/** Where a sign-in stands. */
export type SignIn = Ready | Waiting | Refused;

/** A sign-in for which a session may be opened. */
export interface Ready {
  kind: 'ready';
  /** As staged. */
  user: UserRecord;
  organizationId?: string | undefined;
  /** Of the organization. */
  membership?: OrganizationMembershipRecord | undefined;
  /** Where it was read on the way. */
  organization?: OrganizationSummary | undefined;
}

/** A sign-in that lacks something. */
export interface Waiting {
  kind: 'pending';
  code: Step;
  /** Goes on with the sign-in; shown once. */
  token: string;
  /** What the contract tells beside the code, in its spelling. */
  members: Readonly<Record<string, unknown>>;
  pending: Pending;
}

/** A sign-in that ends here. */
export interface Refused {
  kind: 'refused';
  code: Refusal;
  retryAfterSeconds?: number;
}

/** Why a sign-in ends here. Nothing is to be committed of it. */
export type Refusal =
  | 'invitation_invalid'
  | 'invitation_cannot_be_used_for_email'
  | 'organization_not_found'
  | 'organization_membership_not_found'
  /** The account at the provider is another user's by now. */
  | 'identity_taken'
  /** A code would have to be sent, and too many were. */
  | 'too_many_requests';
