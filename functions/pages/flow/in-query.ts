import { clientIdOf } from '../../kernel/authentication/api-key.ts';
import { type Authenticator, everybody } from '../../kernel/authentication/caller.ts';
import { queryObject } from '../../kernel/http/input.ts';

/**
 * Whoever comes with a token in the address acts in its environment, as a public client would; with none, or one that
 * nobody made, in no environment: the page says that it has ended.
 */
export const tokenInQuery = (member: string, environmentOf: (token: string) => string | undefined): Authenticator => ({
  security: [],
  authenticate: async (request) => {
    const environmentId = environmentOf(queryObject(request.rawQuery)[member] ?? '');
    if (environmentId === undefined) return everybody.authenticate(request);
    return { environmentId, actor: { id: clientIdOf(environmentId), source: 'api', name: null }, proof: '' };
  },
});
