/** What other areas may know of API keys. */
export { forgetUser as revokeKeysOfUser } from './api-key/erasure.ts';
