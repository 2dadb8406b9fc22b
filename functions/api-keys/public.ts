/** What other areas may know of API keys. */
export { forgetEarlierHolder as revokeKeysOfEarlierHolder, forgetUser as revokeKeysOfUser } from './api-key/erasure.ts';
