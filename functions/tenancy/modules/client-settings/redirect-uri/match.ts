import { isOperatorsEnvironment } from '../../../../kernel/authentication/environment-id.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { isOwnOrigin, makeConsoleCallback } from '../../../../kernel/own-origin.ts';
import { findHolders } from '../../../../kernel/storage/unique.ts';
import { defaultId, REDIRECT_URI, redirectUris, redirectUriWildcards } from './entity.ts';
import { admits, listCandidates, type Wildcard } from './rules.ts';

/** Maximum number of wildcards of an environment that differ only in their label. */
export const MAX_IN_GROUP = 100;

/**
 * Reports whether a presented URI is registered in the environment: with the same text (RFC 9700 section 2.1), by a
 * wildcard, or as a loopback address without its port (RFC 8252 section 7.3). A URI that could not be registered itself is
 * rejected without a read: fragments, user information, backslashes, unusual spellings. It takes one round trip, strongly
 * consistent: a BatchGetItem and, for a host that a wildcard could match, a Query in parallel. The only one of the operators is
 * the console's own, which is not registered.
 * @param options `wildcards: false` ignores wildcards
 */
export async function isRedirectUri(
  environmentId: string,
  uri: string,
  { wildcards = true }: { wildcards?: boolean } = {},
): Promise<boolean> {
  if (isOperatorsEnvironment(environmentId)) return uri === makeConsoleCallback();
  const { uris, wildcard } = listCandidates(uri);
  // A wildcard or a loopback address without a port may also match this service's own host.
  if (uris.length === 0 || isOwnOrigin(uri)) return false;
  const [holders, isAdmitted] = await awaitAll([
    findHolders(
      environmentId,
      uris.map((value) => ({ kind: REDIRECT_URI, value })),
    ),
    wildcards && wildcard !== undefined && isAdmittedByWildcard(environmentId, wildcard),
  ]);
  return isAdmitted || holders.some((holder) => holder !== undefined);
}

async function isAdmittedByWildcard(environmentId: string, { group, label }: Wildcard): Promise<boolean> {
  const registered = await redirectUriWildcards.list('primary', { environmentId, group }).take(MAX_IN_GROUP);
  return registered.some((wildcard) => admits(wildcard.label, label));
}

/**
 * The redirect URI for a user whose request named none: the environment's default, if it has one. It takes two GetItems.
 */
export async function defaultRedirectUri(environmentId: string): Promise<string | undefined> {
  const id = await defaultId(environmentId);
  return id === undefined ? undefined : (await redirectUris.get(environmentId, id))?.uri;
}
