import { awaitAll } from '../../../kernel/concurrency.ts';
import { type AuthorizationRequest, failFlow } from '../../modules/sign-in-flows/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { browserHash, newBrowserValue } from '../../../kernel/http/browser.ts';
import { setCookie } from '../../../kernel/http/cookies.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { signInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import { authorizationUrl, newBinding } from '../exchange/authorization.ts';
import { readTarget } from '../exchange/client.ts';
import { toFault } from '../exchange/failure.ts';
import { configuredProvider } from '../provider/client.ts';
import { scopesOf } from '../provider/schema.ts';
import { requiredReauthentication } from './reauthentication.ts';
import { socialSignIns } from './entity.ts';
import { bindingOf, LIFE_SECONDS, mintState, sealSecrets } from './state.ts';

/** The next redirect of a browser, with its cookies. */
export interface Started {
  location: string;
  /** The values of the Set-Cookie headers. */
  cookies: string[];
}

const failed = (flow: AuthorizationRequest, error: string, description: string): Started => ({
  location: failFlow(flow, error, description),
  cookies: [],
});

/**
 * Redirects the browser of a sign-in to a provider, bound to the browser by a cookie. If the provider cannot be used, the
 * browser is redirected to the application with the reason.
 */
export async function startSocial(
  unit: Pick<Unit, 'stage'>,
  flow: AuthorizationRequest,
  provider: string,
): Promise<Started> {
  const { environmentId } = flow;
  const [settings, configured] = await awaitAll([
    findSettings(environmentId, signInSettings),
    configuredProvider(environmentId, provider),
  ]);
  if (configured === undefined || !settings.methods.social) {
    return failed(flow, 'invalid_request', 'The environment does not let people sign in through this provider.');
  }
  const { client, record } = configured;
  const { state, id } = mintState(environmentId);
  const binding = newBinding();
  // Parameters that an application meant for one provider are not sent to another.
  const preferences = flow.provider === provider ? flow : undefined;
  const reauthentication = requiredReauthentication(flow);
  if (reauthentication !== undefined && preferences === undefined && client.facts.reauthenticates === false) {
    return failed(flow, 'login_required', 'The provider cannot ask people to sign in again.');
  }
  const scopes = [...new Set([...scopesOf(client.facts, record), ...(preferences?.providerScopes ?? [])])];
  const location = await authorizationUrl(
    client,
    { state, ...binding },
    {
      scopes,
      queryParams: preferences?.providerQueryParams,
      loginHint: flow.loginHint,
      domainHint: flow.domainHint,
      prompt: preferences?.prompt ?? reauthentication?.prompt,
      maxAge: reauthentication?.maxAge,
    },
  ).catch(toFault);
  if (typeof location !== 'string') return failed(flow, 'temporarily_unavailable', location.message);
  const value = newBrowserValue();
  const { write } = socialSignIns.create({
    environmentId,
    id,
    provider,
    target: readTarget(client),
    browserHash: browserHash(value),
    expiresAt: clock.seconds() + LIFE_SECONDS,
    sealed: sealSecrets({ environmentId, id }, state, {
      flowId: flow.id,
      ...binding,
      scopes,
      anew: reauthentication && { ...reauthentication, sentAt: clock.now() },
    }),
  });
  unit.stage(write);
  const sameSite = client.facts.responseMode === 'form_post' ? 'None' : 'Lax';
  return { location, cookies: [setCookie(bindingOf(id), value, { sameSite })] };
}
