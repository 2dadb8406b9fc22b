import { isLoopback, listCandidates } from '../../../tenancy/modules/client-settings/public.ts';

/** The text of a loopback URI without its port; any other text unchanged. */
function withoutLoopbackPort(uri: string): string {
  if (!uri.startsWith('http:') || !URL.canParse(uri)) return uri;
  const { hostname, port } = new URL(uri);
  return isLoopback(hostname) && port !== '' ? uri.replace(`//${hostname}:${port}`, `//${hostname}`) : uri;
}

/**
 * Returns the redirect URI of a request: the presented one if it is registered with the same text (RFC 9700 section 2.1) or,
 * on a loopback host, with another port (RFC 8252 section 7.3). Without a presented one it is the only registered one (RFC
 * 6749 section 3.1.2.3). Undefined for any other, to which nothing is sent (section 4.1.2.1). A text that could not be
 * registered matches nothing: fragments, user information, backslashes, unusual spellings, wildcards.
 */
export function chooseRedirectUri(registered: readonly string[], presented: string | undefined): string | undefined {
  if (presented === undefined) return registered.length === 1 ? registered[0] : undefined;
  if (listCandidates(presented).uris.length === 0) return undefined;
  const wanted = withoutLoopbackPort(presented);
  return registered.some((uri) => withoutLoopbackPort(uri) === wanted) ? presented : undefined;
}
