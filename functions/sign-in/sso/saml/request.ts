import { sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';

import { POST_BINDING, RSA_SHA256, SAML, SAMLP, UNSPECIFIED_NAME_ID } from './names.ts';
import { escapeXml } from './escape.ts';

/** The values of an AuthnRequest (SAML core, section 3.4.1). */
export interface AuthnRequest {
  /** The ID of the request, unique and unguessable, beginning with a letter or underscore. */
  readonly id: string;
  /** The current time in milliseconds since the epoch. */
  readonly now: number;
  /** The URL of the identity provider, whose own query is kept. */
  readonly ssoUrl: string;
  readonly acsUrl: string;
  /** The entity ID of the service provider. */
  readonly spEntityId: string;
  /** The RelayState of at most 80 bytes (SAML bindings, section 3.4.3). */
  readonly relayState: string;
  /** True if it requires a new authentication, whatever session the provider has. */
  readonly forceAuthn?: boolean;
  /** The name of the user, for providers that read it from the Subject. */
  readonly subject?: string;
  /** The requested format of the NameID; if absent, the provider chooses. */
  readonly nameIdFormat?: string;
  /** Parameters for the provider's own page, such as `login_hint`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The RSA key that signs, in PEM; absent for requests without a signature. */
  readonly signingKey?: string;
}

/** Writes the XML of a request. */
export function writeAuthnRequest(request: AuthnRequest): string {
  const { id, now, ssoUrl, acsUrl, spEntityId, forceAuthn = false, subject, nameIdFormat } = request;
  const format = nameIdFormat === undefined ? '' : ` Format="${escapeXml(nameIdFormat)}"`;
  const named =
    subject === undefined
      ? ''
      : `<saml:Subject><saml:NameID Format="${UNSPECIFIED_NAME_ID}">${escapeXml(subject)}</saml:NameID></saml:Subject>`;
  return (
    `<samlp:AuthnRequest xmlns:samlp="${SAMLP}" xmlns:saml="${SAML}" ID="${escapeXml(id)}" Version="2.0" ` +
    `IssueInstant="${new Date(now).toISOString()}" Destination="${escapeXml(ssoUrl)}" ` +
    `AssertionConsumerServiceURL="${escapeXml(acsUrl)}" ProtocolBinding="${POST_BINDING}"` +
    `${forceAuthn ? ' ForceAuthn="true"' : ''}><saml:Issuer>${escapeXml(spEntityId)}</saml:Issuer>${named}` +
    `<samlp:NameIDPolicy${format} AllowCreate="true"/></samlp:AuthnRequest>`
  );
}

/**
 * Builds the URL to which a browser is redirected with an AuthnRequest: the HTTP-Redirect binding (SAML bindings, section
 * 3.4.4), with DEFLATE, and signed with RSA-SHA256 if there is a key. The signature covers the parameters as they are in
 * the URL.
 */
export function buildRedirect(request: AuthnRequest): string {
  const { ssoUrl, relayState, signingKey, parameters = {} } = request;
  const message = deflateRawSync(Buffer.from(writeAuthnRequest(request))).toString('base64');
  const query = [`SAMLRequest=${encodeURIComponent(message)}`, `RelayState=${encodeURIComponent(relayState)}`];
  if (signingKey !== undefined) {
    query.push(`SigAlg=${encodeURIComponent(RSA_SHA256)}`);
    const signature = sign('sha256', Buffer.from(query.join('&')), signingKey).toString('base64');
    query.push(`Signature=${encodeURIComponent(signature)}`);
  }
  const own = Object.entries(parameters).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  const url = new URL(ssoUrl);
  url.hash = '';
  url.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...own, ...query].join('&');
  return url.href;
}
