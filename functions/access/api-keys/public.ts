/** The functions of API keys for other areas. */
export { forgetEarlierHolder as revokeKeysOfEarlierHolder, forgetUser as revokeKeysOfUser } from './api-key/erasure.ts';
export { findUnendedKey, stageRegistrationKey, stageRevocationById } from './api-key/registration.ts';
