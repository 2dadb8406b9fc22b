/** What other areas may know of users, their memberships and the redirect URIs of an environment. */
import { membershipOf } from '../memberships/organization-membership/find.ts';
import { users, type UserRecord } from '../users/user/entity.ts';

export type { OrganizationMembershipRecord } from '../memberships/organization-membership/entity.ts';
export {
  activateMembership,
  stageMembership,
  type StagedMembership,
  stageMembershipChange,
} from '../memberships/organization-membership/change.ts';
export { membershipOf, membershipsOf } from '../memberships/organization-membership/find.ts';
export { DEFAULT_ROLE, findRoles, type Role } from '../memberships/organization-membership/roles.ts';
export {
  membershipPayload,
  OrganizationMembership,
  presentMembership,
  type WireMembership,
} from '../memberships/organization-membership/schema.ts';
export { UserManagementSettings, userManagementSettings } from '../users/settings.ts';
export {
  holdUser,
  type NewUser,
  presenceOf,
  stageSignIn,
  stageUser,
  stageUserChange,
  type UserChanges,
} from '../users/user/change.ts';
export {
  InvitationRefused,
  type RefusalReason as InvitationRefusalReason,
  stageInvitationAcceptance,
} from '../invitations/invitation/accept.ts';
export { findInvitationByToken, type InvitationRecord } from '../invitations/invitation/entity.ts';
export { type InvitationState, stateOf as invitationStateOf } from '../invitations/invitation/rules.ts';
export { environmentOfInvitationToken, INVITATION_PAGE } from '../invitations/invitation/token.ts';
export { defaultResource as defaultHostedResource, hostedResources } from '../client-settings/hosted-oauth-resource/entity.ts';
export { defaultRedirectUri, isRedirectUri } from '../client-settings/redirect-uri/match.ts';
export { eraseUser } from '../memberships/organization-membership/erasure.ts';
export { getUserByEmail, type UserRecord, users } from '../users/user/entity.ts';
export { composeNotice } from '../users/user/notice.ts';
export { NOBODY, soughtUser } from '../users/user/sought.ts';
export { emailChangeNotAllowed, emailNotAvailable, userCreationError, userNotFound } from '../users/user/errors.ts';
export { normalizeEmail } from '../kernel/address.ts';
export { presentUser, User, type WireUser } from '../users/user/schema.ts';

/** A user of the environment as stored: one strongly consistent GetItem. */
export const getUser = (environmentId: string, id: string): Promise<UserRecord | undefined> =>
  users.get(environmentId, id);

/** A user as other areas see it. */
export interface UserSummary {
  id: string;
  email: string;
  firstName: string | undefined;
  lastName: string | undefined;
  /** Raised by the first proof of an address: what was noted under another one is an earlier holder's. */
  ownershipEpoch: number;
}

/** A membership as other areas see it. */
export interface MembershipSummary {
  id: string;
  userId: string;
  organizationId: string;
  status: 'active' | 'inactive' | 'pending';
}

/** A user of the environment: one strongly consistent GetItem. */
export async function findUser(environmentId: string, id: string): Promise<UserSummary | undefined> {
  const record = await users.get(environmentId, id);
  if (record === undefined) return undefined;
  const { email, firstName, lastName, ownershipEpoch = 0 } = record;
  return { id, email, firstName, lastName, ownershipEpoch };
}

/** A user's membership of an organization, whatever its status: one strongly consistent GetItem. */
export async function findMembership(
  environmentId: string,
  userId: string,
  organizationId: string,
): Promise<MembershipSummary | undefined> {
  const record = await membershipOf(environmentId, userId, organizationId);
  return record && { id: record.id, userId, organizationId, status: record.status };
}

export {
  identitiesOf,
  identityHolder,
  type IdentityName,
  type IdentityRecord,
  MAX_IDENTITIES,
  stageIdentity,
  stageRemovalOfIdentities,
} from '../credentials/identity/entity.ts';
export { IDENTITY_PROVIDERS, type IdentityProvider } from '../credentials/identity/schema.ts';

export { checkEmailVerification, stageEmailVerification } from '../email-proofs/email-verification/verify.ts';
export { type EmailVerificationRecord } from '../email-proofs/email-verification/entity.ts';
export {
  type NewPassword,
  passwordFrom,
  passwordIssues,
  passwordMembers,
  refuseWeakPassword,
} from '../credentials/password/body.ts';
export { checkPassword, ownHash, type PasswordCheck } from '../credentials/password/check.ts';
export { passwordErrors, passwordStrengthError } from '../credentials/password/errors.ts';
export { stageEndOfBegun, stagePassword, stageRemovalOfPassword } from '../credentials/password/set.ts';
export { MAX_PASSWORD_CHARACTERS, type PasswordPolicy } from '../credentials/password/rules.ts';
export { PasswordSettings, passwordSettings } from '../credentials/password/settings.ts';
export { tellsOfProof } from '../email-proofs/proof/told.ts';
export { ALL_KEPT, isFirstProof, type Kept, proveEmail } from '../email-proofs/proof/prove-email.ts';
export { dailyQuotaExceeded } from '../email-proofs/sign-in/sending-limits.ts';
export { SignInSettings, signInSettings } from '../email-proofs/sign-in/settings.ts';
export { type PasswordResetRecord } from '../email-proofs/password-reset/entity.ts';
export {
  obstacleOf,
  passwordResetError,
  passwordResetNotFound,
  resetPassword,
  type SentPasswordReset,
  stagePasswordReset,
} from '../email-proofs/password-reset/reset.ts';
export { findPasswordReset, placeOfResetToken } from '../email-proofs/password-reset/token.ts';
export { countSending } from '../email-proofs/sign-in/sending-limits.ts';
export {
  checkMagicAuth,
  type MagicAuthWish,
  stageMagicAuth,
  stageMagicCode,
  stageUntoldMagicCode,
} from '../email-proofs/magic-auth/code.ts';
export type { MagicAuthRecord } from '../email-proofs/magic-auth/entity.ts';
