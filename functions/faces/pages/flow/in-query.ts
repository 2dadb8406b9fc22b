import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { type Authenticator, anyCaller } from '../../../kernel/authentication/caller.ts';
import { queryObject } from '../../../kernel/http/input.ts';

/**
 * Authenticates a request by a token in its query, in the environment of the token, like a public client. Without a valid
 * token the caller has no environment, and the page says that the token has expired.
 */
export const tokenInQuery = (member: string, environmentOf: (token: string) => string | undefined): Authenticator => ({
  security: [],
  authenticate: async (request) => {
    const environmentId = environmentOf(queryObject(request.rawQuery)[member] ?? '');
    if (environmentId === undefined) return anyCaller.authenticate(request);
    return { environmentId, actor: { id: makeClientId(environmentId), source: 'api', name: null }, proof: '' };
  },
});
