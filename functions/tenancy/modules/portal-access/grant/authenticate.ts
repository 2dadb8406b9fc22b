import { apiKey, bearerToken } from '../../../../kernel/authentication/api-key.ts';
import type { Authenticator, Caller, ConcernedCall } from '../../../../kernel/authentication/caller.ts';
import { environmentIdOf } from '../../../../kernel/authentication/environment-id.ts';
import { findEnvironment } from '../../../../kernel/authentication/environment.ts';
import { readKey } from '../../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { TtlCache } from '../../../../kernel/memory.ts';
import { credentialCacheMs } from '../../../../kernel/settings.ts';
import { findSessionByHash } from '../session/session.ts';
import { PORTAL_GRANT_PREFIX, portalGrants } from './entity.ts';
import { grantedOperations } from './rules.ts';

/** The session that a grant names, which never changes. */
type Named = { organizationId: string; sessionHash: string; expiresAt: number };
const cached = new TtlCache<Named>(1_000, credentialCacheMs);

/**
 * An environment's secret key, or a grant of the portal: for operations that its pages call in the name of a person.
 * @param findOrganization Finds the organization that a call concerns; a grant of another one is rejected like an unknown id.
 */
export const keyOrGrant = (findOrganization: NonNullable<Authenticator['findOrganization']>): Authenticator => ({
  ...apiKey,
  authenticate: async (request) => (await apiKey.authenticate(request)) ?? findGrantee(bearerToken(request) ?? ''),
  findOrganization,
});

/** Finds the organization in the path of a request. */
export const inPath =
  (name: string) =>
  ({ params }: ConcernedCall): string | undefined =>
    params[name];

/** Finds the organization in a member of the body. */
export const inBody =
  (name: string) =>
  ({ body }: ConcernedCall): string | undefined =>
    (body as Record<string, string | undefined> | undefined)?.[name];

/** Finds the organization in a member of the query. */
export const inQuery =
  (name: string) =>
  ({ query }: ConcernedCall): string | undefined =>
    (query as Record<string, string | undefined> | undefined)?.[name];

/**
 * Finds the caller of a grant. Its session and the invitation of its IT contact are read for each call, so a session that has ended,
 * a contact who was revoked and a task that was withdrawn are rejected at once.
 */
async function findGrantee(token: string): Promise<Caller | undefined> {
  const key = readKey(PORTAL_GRANT_PREFIX, token);
  if (key === undefined) return undefined;
  const environmentId = environmentIdOf(key.ulid);
  const grant = await cached.load(key.hash, async () => {
    const row = await portalGrants.get(environmentId, key.hash);
    return row && { organizationId: row.organizationId, sessionHash: row.sessionHash, expiresAt: row.expiresAt ?? 0 };
  });
  if (grant === undefined || grant.expiresAt <= clock.seconds()) return undefined;
  const { organizationId, sessionHash } = grant;
  const [environment, session] = await awaitAll([
    findEnvironment(environmentId),
    findSessionByHash(environmentId, organizationId, sessionHash),
  ]);
  if (environment === undefined || environment.suspendedAt !== undefined || session === undefined) return undefined;
  return {
    environmentId,
    actor: { id: session.actorId, source: 'admin_portal', name: session.actorName },
    proof: token,
    grant: { organizationId, operations: grantedOperations(session.intents) },
  };
}
