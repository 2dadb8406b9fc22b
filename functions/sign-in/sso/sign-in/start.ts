import type { ClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { browserHash, newBrowserValue } from '../../../kernel/http/browser.ts';
import type { EventOrigin } from '../../../kernel/events/catalogue/context.ts';
import { setCookie } from '../../../kernel/http/cookies.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Reauthentication } from '../../social/public.ts';
import { readParty } from '../connection/addresses.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { oidcIn, samlIn } from '../connection/rules.ts';
import { openConnection } from '../connection/secrets.ts';
import { loginHintParameter } from '../connection/types.ts';
import { authorizationUrl, newBinding } from '../oidc/exchange.ts';
import { buildRedirect } from '../saml/request.ts';
import { ssoEvent } from './events.ts';
import { type SignInSecrets, type SsoSignInRecord, ssoSignIns } from './entity.ts';
import { bindingOf, KEPT_SECONDS, LIFE_SECONDS, sealSecrets } from './state.ts';

/** The next redirect of a browser, with its cookies. */
export interface Started {
  location: string;
  /** The values of the Set-Cookie headers. */
  cookies: string[];
}

/** The parameters of a sign-in at an identity provider. */
export interface SsoStart {
  record: ConnectionRecord;
  purpose: SsoSignInRecord['purpose'];
  /** The state, which is new or derived from the sign-in. */
  key: { state: string; id: string };
  flowId?: string | undefined;
  /** The application for which the sign-in began, for events. */
  origin?: EventOrigin | undefined;
  /** The URL to which the browser is redirected after a test. */
  returnUrl?: string | undefined;
  reauthentication?: Reauthentication | undefined;
  loginHint?: string | undefined;
  domainHint?: string | undefined;
  providerScopes?: readonly string[] | undefined;
  providerQueryParams?: Readonly<Record<string, string>> | undefined;
}

/** Parameters that protect a sign-in, or that could contain the whole request (RFC 9101): applications cannot set them. */
const OWN =
  /^(?:client_|redirect_uri|response_|state|nonce|code_challenge|scope|request|registration|id_token_hint|SAML|RelayState|SigAlg|Signature)/i;

const allowed = (given: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => /^[\w.-]{1,64}$/.test(name) && !OWN.test(name)));

/** Makes the URL of the provider with the request, and the values that its response must match. */
async function requestTo(start: SsoStart): Promise<{ location: string; secrets: SignInSecrets }> {
  const { record, key, reauthentication, loginHint } = start;
  const { acsUrl, entityId, redirectUri } = readParty(record);
  const [saml, oidc] = [samlIn(record), oidcIn(record)];
  const connection = await openConnection(record);
  const parameters = allowed(start.providerQueryParams);
  if (oidc !== undefined) {
    const binding = { ...(await newBinding()), state: key.state };
    const { domainHint, providerScopes: scopes } = start;
    const hints = { scopes, loginHint, domainHint, reauthentication, parameters };
    const location = await authorizationUrl(oidc, connection, redirectUri, binding, hints);
    return { location, secrets: { nonce: binding.nonce, verifier: binding.verifier } };
  }
  const requestId = `_${newBrowserValue()}`;
  const hint = loginHintParameter(record.type);
  const location = buildRedirect({
    id: requestId,
    now: clock.now(),
    ssoUrl: saml?.idpSsoUrl ?? '',
    acsUrl,
    spEntityId: entityId,
    relayState: key.state,
    forceAuthn: reauthentication !== undefined,
    parameters: {
      ...parameters,
      ...(hint === undefined || loginHint === undefined ? {} : { [hint]: loginHint }),
      ...(record.type === 'GoogleSAML' && start.domainHint !== undefined ? { hd: start.domainHint } : {}),
    },
    ...(saml?.spSigning === undefined || connection.spSigningKey === undefined
      ? {}
      : { signingKey: connection.spSigningKey }),
  });
  return { location, secrets: { requestId } };
}

/**
 * Redirects a browser to the identity provider of a connection, bound to the browser by a cookie, with one KMS request if
 * the connection has secrets, and one write. It emits `authentication.sso_started` unless it is a test.
 */
export async function startSso(
  unit: Pick<Unit<'authentication.sso_started'>, 'stage' | 'emit'>,
  start: SsoStart,
  { ipAddress, userAgent }: Pick<ClientContext, 'ipAddress' | 'userAgent'>,
): Promise<Started> {
  const { record, purpose, key, flowId, reauthentication } = start;
  const { environmentId, organizationId } = record;
  const { location, secrets } = await requestTo(start);
  const value = newBrowserValue();
  const endsAt = clock.seconds() + LIFE_SECONDS;
  const own = { environmentId, id: key.id };
  const email = start.loginHint === undefined ? undefined : normalizeEmail(start.loginHint);
  const { record: signIn, write } = ssoSignIns.create({
    ...own,
    connectionId: record.id,
    organizationId,
    purpose,
    endsAt,
    expiresAt: endsAt + KEPT_SECONDS,
    browserHash: browserHash(value),
    email,
    ipAddress: ipAddress ?? undefined,
    userAgent: userAgent ?? undefined,
    origin: start.origin,
    sealed: sealSecrets(own, key.state, {
      ...secrets,
      flowId,
      returnUrl: start.returnUrl,
      ...(reauthentication === undefined ? {} : { reauthentication: { ...reauthentication, sentAt: clock.now() } }),
    }),
    ...(purpose === 'test' ? {} : dueOn(key.id, endsAt * 1_000)),
  });
  unit.stage(write);
  if (purpose !== 'test') {
    unit.emit('authentication.sso_started', ssoEvent('started', signIn, { email: email ?? null }), { organizationId });
  }
  return { location, cookies: [setCookie(bindingOf(key.id), value)] };
}
