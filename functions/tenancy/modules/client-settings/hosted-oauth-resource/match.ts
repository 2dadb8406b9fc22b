import { admits, listCandidates, isProblem, readUri } from '../redirect-uri/rules.ts';
import { type HostedResourceRecord, hostedResources } from './entity.ts';

/** Maximum number of resources that one request compares; an environment has a few. */
const MOST_COMPARED = 1_000;

const withoutSlash = (uri: string): string => (uri.endsWith('/') ? uri.slice(0, -1) : uri);

/**
 * Reads the registered resources, by one strongly consistent Query, for the audiences of tokens (RFC 8707 section 2). The result
 * gives the named resource if it is registered, with or without one trailing slash or by a wildcard; without a name the
 * default resource. Null means that the named one is not registered, undefined that there is neither a name nor a default.
 * Its `since` is the time of a consent (ISO 8601): one that was registered again since then is another resource.
 */
export async function loadAudiences(
  environmentId: string,
): Promise<(named: string | undefined, since?: string) => string | null | undefined> {
  const registered = await findRegistered(environmentId);
  return (named, since) => {
    if (named === undefined) return registered.find(({ isDefault }) => isDefault)?.uri;
    return isAmong(registered, named, since) ? named : null;
  };
}

/** The audience of a token for a resource, as {@link loadAudiences} gives it. */
export async function findAudience(
  environmentId: string,
  named: string | undefined,
): Promise<string | null | undefined> {
  return (await loadAudiences(environmentId))(named);
}

const findRegistered = (environmentId: string): Promise<HostedResourceRecord[]> =>
  hostedResources.list('primary', { environmentId }).take(MOST_COMPARED);

function isAmong(registered: readonly HostedResourceRecord[], named: string, since: string | undefined): boolean {
  const presented = listCandidates(named);
  if (presented.uris.length === 0) return false;
  return registered.some(({ uri, createdAt }) => {
    if (since !== undefined && createdAt > since) return false;
    if (withoutSlash(uri) === withoutSlash(named)) return true;
    const read = readUri(uri);
    if (isProblem(read) || read.wildcard === undefined || presented.wildcard === undefined) return false;
    return (
      withoutSlash(read.wildcard.group) === withoutSlash(presented.wildcard.group) &&
      admits(read.wildcard.label, presented.wildcard.label)
    );
  });
}
