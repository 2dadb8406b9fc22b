import { bearerToken, makeCaller, makeClientId } from '../../kernel/authentication/api-key.ts';
import type { Authenticator, Caller } from '../../kernel/authentication/caller.ts';
import { environmentOfClient } from '../../kernel/authentication/client.ts';
import { findEnvironment } from '../../kernel/authentication/environment.ts';
import { declareError, Failure } from '../../kernel/errors.ts';
import { readUnverifiedClaims } from '../../kernel/tokens/verify.ts';
import { findTokenState } from '../../oauth/connect/public.ts';

/** The scope with which an m2m application acts for its platform. It is the slug of a permission of the environment. */
const SCOPE = 'platform';

export const notPlatform = declareError({
  status: 403,
  code: 'platform_required',
  message:
    'Only a platform has teams: call with a key of an environment that is one ("npm run environments -- update ID --platform on"), or with a token of ' +
    'its m2m application that has the scope "platform".',
});

/**
 * Authenticates a platform by an API key of its environment, or by a token of its m2m application with the scope `platform`.
 * Only the operator decides which environments are platforms; the scope is not sufficient, because any environment can
 * define it.
 * @throws Failure 403 for every other environment, and for a token without the scope
 */
export const platformCaller: Authenticator = {
  security: [{ bearer: [] }],
  authenticate: async (request) => {
    const token = bearerToken(request) ?? '';
    const caller = (await makeCaller(token)) ?? (await findMachine(token));
    if (caller === undefined) return undefined;
    const environment = await findEnvironment(caller.environmentId);
    if (environment?.isPlatform !== true) throw new Failure(notPlatform);
    return caller;
  },
};

/**
 * Finds the caller of an m2m application's token, whose `aud` is the client id of the environment. The application and its
 * scopes are read again, so a removed scope counts at once.
 */
async function findMachine(token: string): Promise<Caller | undefined> {
  const audience = readUnverifiedClaims(token)?.aud;
  const environmentId = typeof audience === 'string' ? environmentOfClient(audience) : undefined;
  const state = environmentId === undefined ? undefined : await findTokenState(environmentId, token);
  if (environmentId === undefined || state?.kind !== 'machine') return undefined;
  if (state.claims.aud !== makeClientId(environmentId)) return undefined;
  if (!state.scopes.includes(SCOPE)) throw new Failure(notPlatform);
  const actor = { id: state.application.id, source: 'api' as const, name: state.application.name };
  return { environmentId, actor, proof: token };
}
