/**
 * The functions of email proofs for other modules: codes and links by mail, the effects of the first proof of an
 * address, and an environment's sign-in settings.
 */
export { changeEmail, stageAddressChangedNotice, stageEmailChange } from './email-change/stage.ts';
export { emailAlreadyVerified } from './email-verification/errors.ts';
export { checkEmailVerification, stageEmailVerification } from './email-verification/stage.ts';
export { checkMagicAuth, stageMagicAuth, stageMagicCode, stageDecoyMagicCode } from './magic-auth/stage.ts';
export { findResettingUser, passwordResetError, resetPassword, stagePasswordReset } from './password-reset/stage.ts';
export { placeOfResetToken } from './password-reset/token.ts';
export { proveEmail, notifiesOfProof } from './proof/prove-email.ts';
export { countSending } from './sent-code/limits.ts';
export { SignInSettings, signInSettings } from './sign-in-settings.ts';
