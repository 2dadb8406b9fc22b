/**
 * What other modules may know of proofs that a user reads an address: codes and links by mail, what the first proof of an
 * address removes, and how an environment's users may sign in.
 */
export { stageFarewell } from './email-change/change.ts';
export { emailAlreadyVerified } from './email-verification/errors.ts';
export { checkEmailVerification, stageEmailVerification } from './email-verification/verify.ts';
export { checkMagicAuth, stageMagicAuth, stageMagicCode, stageUntoldMagicCode } from './magic-auth/code.ts';
export { obstacleOf, passwordResetError, resetPassword, stagePasswordReset } from './password-reset/reset.ts';
export { findPasswordReset, placeOfResetToken } from './password-reset/token.ts';
export { proveEmail, tellsOfProof } from './proof/prove-email.ts';
export { countSending } from './sign-in/sending-limits.ts';
export { SignInSettings, signInSettings } from './sign-in/settings.ts';
