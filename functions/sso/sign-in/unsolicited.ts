import { startFlow } from '../../authentication/public.ts';
import { makeClientId } from '../../kernel/authentication/api-key.ts';
import { systemActor } from '../../kernel/authentication/caller.ts';
import { findEnvironment } from '../../kernel/authentication/environment.ts';
import { findSettings } from '../../kernel/environment-settings.ts';
import { redirectTo } from '../../kernel/http/callback.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { endingPage } from '../../kernel/pages/ending.ts';
import { PageFailure } from '../../kernel/pages/error-page.ts';
import { plainSurroundings } from '../../kernel/pages/surroundings.ts';
import { settings } from '../../kernel/settings.ts';
import { Unit } from '../../kernel/storage/unit.ts';
import { defaultRedirectUri, isRedirectUri } from '../../client-settings/public.ts';
import { issuerOf } from '../../kernel/tokens/issuer.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { settingsIn } from '../connection/settings.ts';
import { ssoSettings } from '../settings.ts';
import { endedSignIn, unsolicited } from './errors.ts';

/**
 * The application that a response without a request leads to: RelayState may name a registered redirect URI
 * (`redirect_uri=`) of this environment (`client_id=`), and nothing else in it counts.
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
 * Decides about a SAML response that no sign-in asked for, by the setting of its connection. `redirect`: it proves
 * nothing and is not read; the browser is sent back to the provider with a request. `deny`: the application gets the
 * error.
 * @returns the address that the browser goes to
 */
export async function receiveUnsolicited(
  record: ConnectionRecord,
  _response: string,
  relayState: string,
  request: IncomingRequest,
): Promise<string> {
  const { environmentId, id: connectionId, organizationId } = record;
  const { idp_initiated: mode } = settingsIn(record);
  const application = record.state === 'active' ? await findApplication(environmentId, relayState) : undefined;
  if (application === undefined) throw endedSignIn(request);
  if (mode === 'deny') {
    return redirectTo(application, {
      error: unsolicited.code,
      error_description: unsolicited.message,
      connection_id: connectionId,
      organization_id: organizationId,
    });
  }
  const { idp_initiated_code: code } = await findSettings(environmentId, ssoSettings);
  const unit = new Unit<never>(environmentId, systemActor);
  const flow = startFlow(unit, environmentId, {
    ...application,
    provider: 'sso',
    connectionId,
    organizationId,
    screenHint: 'sign-in',
    isForProfile: code === 'sso',
  });
  if ((await unit.commit()).kind !== 'committed') throw busy(request);
  return `${settings().GATEHOUSE_BASE_URL}/x/sso/start?flow=${flow.id}&bounced=1`;
}

const busy = (request: IncomingRequest): PageFailure =>
  new PageFailure(unsolicited, endingPage(plainSurroundings(request), 'error'));
