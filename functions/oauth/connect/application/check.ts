import type { Issue } from '../../../kernel/errors.ts';
import { isProblem, readOrigin, readUri } from '../../../tenancy/modules/client-settings/public.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import type { ApplicationUri } from './entity.ts';
import { isOpenIdScope } from '../../../sign-in/modules/authorization-server/public.ts';

/** A redirect URI in a request. */
interface NamedUri {
  uri: string;
  default?: boolean | null | undefined;
}

/**
 * Returns an issue for each scope that is neither OpenID's nor a permission of the environment. It reads the version of the
 * model once.
 */
export async function checkScopes(environmentId: string, scopes: readonly string[]): Promise<Issue[]> {
  if (scopes.every(isOpenIdScope)) return [];
  const { permissionsBySlug } = await loadModel(environmentId);
  const message = 'is no permission of the environment; create it, or use openid, profile, email or offline_access';
  return scopes.flatMap((scope, at) =>
    isOpenIdScope(scope) || permissionsBySlug.has(scope)
      ? []
      : [{ field: `scopes.${at}`, code: 'unknown_scope', message }],
  );
}

/**
 * Parses the redirect URIs of an application: without wildcards, since a code must reach one address (RFC 9700 section
 * 2.1), each once, with exactly one default.
 */
export function readUris(named: readonly NamedUri[]): { uris: ApplicationUri[]; issues: Issue[] } {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const defaults = named.filter((one) => one.default === true).length;
  if (defaults > 1) {
    issues.push({ field: 'redirect_uris', code: 'several_defaults', message: 'has more than one default' });
  }
  for (const [at, { uri }] of named.entries()) {
    const field = `redirect_uris.${at}.uri`;
    const read = readUri(uri);
    if (isProblem(read)) issues.push({ field, ...read });
    else if (read.wildcard !== undefined) {
      issues.push({ field, code: 'invalid_wildcard', message: 'may not contain a "*"; register each address' });
    } else if (seen.has(uri)) issues.push({ field, code: 'duplicate', message: 'is named twice' });
    seen.add(uri);
  }
  const uris = named.map((one, at) => ({ uri: one.uri, default: defaults === 0 ? at === 0 : one.default === true }));
  return { uris, issues };
}

/** Parses the origins of an application, each once, as browsers write them. */
export function readOrigins(named: readonly string[]): { origins: string[]; issues: Issue[] } {
  const read = named.map((text, at) => ({ field: `cors_origins.${at}`, ...readOrigin(text) }));
  const origins = read.flatMap((each) => ('origin' in each ? [each.origin] : []));
  const issues = read.flatMap((each) => ('origin' in each ? [] : [each]));
  return { origins: [...new Set(origins)], issues };
}
