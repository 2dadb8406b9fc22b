/** The client credentials of the header `Authorization: Basic`. */
export interface BasicCredentials {
  clientId: string;
  secret: string;
}

/**
 * Parses the header `Authorization: Basic`, whose two parts are form-encoded before they are joined (RFC 6749 section 2.3.1).
 * Returns undefined for any other text.
 */
export function readBasic(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  try {
    const [clientId = '', secret = ''] = [id, rest.join(':')].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    );
    return { clientId, secret };
  } catch {
    return undefined;
  }
}
