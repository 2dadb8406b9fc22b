import { startFlow } from '../../modules/sign-in-flows/public.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { redirectTo } from '../../../kernel/http/callback.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { defaultRedirectUri, isRedirectUri } from '../../../tenancy/modules/client-settings/public.ts';
import { issuerOf } from '../../../kernel/tokens/issuer.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { settingsIn } from '../connection/settings.ts';
import { ssoSettings } from '../settings.ts';
import { endedSignIn, unsolicited } from './errors.ts';
import type { Started } from './start.ts';
import { takeUnsolicited } from './take-unsolicited.ts';

/**
 * The application for a response without a request. RelayState may name a registered redirect URI (`redirect_uri=`) of this
 * environment (`client_id=`); everything else in it is ignored.
 */
async function findApplication(environmentId: string, relayState: string) {
  const [members, environment] = [new URLSearchParams(relayState), await findEnvironment(environmentId)];
  const issuer = environment && issuerOf(environment);
  const clientId = members.get('client_id');
  const wanted = clientId === null || clientId === makeClientId(environmentId) ? members.get('redirect_uri') : null;
  const isWanted = wanted !== null && wanted.length <= 2_048 && (await isRedirectUri(environmentId, wanted));
  const redirectUri = isWanted ? wanted : await defaultRedirectUri(environmentId);
  return redirectUri === undefined ? undefined : { redirectUri, issuer };
}

/**
 * Handles an unsolicited SAML response according to the setting of its connection. `redirect`: the response is not read,
 * since it proves nothing, and the browser is redirected to the provider with a request. `allow`: it is verified, and a page
 * asks the person. `deny`: the application gets the error.
 * @returns the redirect of the browser
 */
export async function receiveUnsolicited(
  record: ConnectionRecord,
  response: string,
  relayState: string,
  request: IncomingRequest,
): Promise<Started> {
  const { environmentId, id: connectionId, organizationId } = record;
  const { idp_initiated: mode } = settingsIn(record);
  const application = record.state === 'active' ? await findApplication(environmentId, relayState) : undefined;
  if (application === undefined) throw endedSignIn(request);
  if (mode === 'deny') {
    const location = redirectTo(application, {
      error: unsolicited.code,
      error_description: unsolicited.message,
      connection_id: connectionId,
      organization_id: organizationId,
    });
    return { location, cookies: [] };
  }
  const { idp_initiated_code: code } = await findSettings(environmentId, ssoSettings);
  const own = { connectionId, organizationId, isForProfile: code === 'sso', screenHint: 'sign-in' } as const;
  const asked = { ...application, ...own, provider: 'sso' };
  if (mode === 'allow') return takeUnsolicited(record, response, asked, request);
  let flowId = '';
  await applyWork(environmentId, systemActor, async (unit) => {
    flowId = startFlow(unit, environmentId, asked).id;
  });
  return { location: `${settings().GATEHOUSE_BASE_URL}/x/sso/start?flow=${flowId}&bounced=1`, cookies: [] };
}
