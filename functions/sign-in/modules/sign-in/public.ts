/** The decisions of a sign-in: what it still needs, and in which order. */
export type { Attempt, RejectionReason, SignIn } from './attempt/attempt.ts';
export { askAction } from './attempt/action.ts';
export { askAccountChange, askEntry, rejectEntry } from './attempt/entry.ts';
export { askForEmailCode, completeSignIn } from './attempt/complete.ts';
export { asksForPasskey, checkFactorCode, findFactorHash } from './attempt/factor.ts';
export { accept, checkInvitation } from './attempt/invitation.ts';
export { findSignInOrganization } from './attempt/organizations.ts';
export { isPasskeyOffered } from './attempt/passkey.ts';
export { prefetch, usableFactors } from './attempt/prefetch.ts';
export { type Resumed, resumePending } from './attempt/resume.ts';
