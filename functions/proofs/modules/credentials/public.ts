/** The functions of users' credentials for other modules: passwords, and accounts at providers. */
export { passwordFrom, passwordIssues, rejectWeakPassword } from './password/body.ts';
export { checkPassword, hasPassword, ownHash } from './password/check.ts';
export { passwordErrors } from './password/errors.ts';
export { stagePassword, stageRemovalOfPassword } from './password/stage.ts';
export { passwordMembers } from './password/schema.ts';
export { MAX_PASSWORD_CHARACTERS, type PasswordPolicy } from './password/rules.ts';
export { passwordSettings } from './password/settings.ts';
export { type IdentityName, MAX_IDENTITIES } from './identity/entity.ts';
export { findIdentities, identityHolder } from './identity/find.ts';
export { stageIdentity, stageRemovalOfIdentities } from './identity/stage.ts';
export { IDENTITY_PROVIDERS } from './identity/schema.ts';
