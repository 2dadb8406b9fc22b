import { createHash } from 'node:crypto';

import type * as z from 'zod';

import { isId, readTime, ulidAt } from '../../../kernel/id-format.ts';
import { type ConfiguredSocialProvider, configuredSocialProviders } from '../../social/public.ts';
import type { Connection } from './schema.ts';
import type { ConnectionType } from './types.ts';

/**
 * A sign-in provider of the environment in the form of a connection without an organization, so that `provider=` of
 * /sso/authorize results in a profile of a connection. It has no row: its id is derived from the environment and the
 * provider's name, and so stays the same when the provider is configured again.
 */
export interface SocialConnection extends ConfiguredSocialProvider {
  environmentId: string;
  id: string;
  protocol: 'oauth';
  type: ConnectionType;
}

/** The id of a provider's connection. */
function socialConnectionId(environmentId: string, provider: string): string {
  const digest = createHash('sha256').update(`social connection ${environmentId} ${provider}`).digest();
  return `conn_${ulidAt(readTime(environmentId), digest)}`;
}

/** The configured providers of an environment as connections, by one strongly consistent Query. */
export async function socialConnections(environmentId: string): Promise<SocialConnection[]> {
  const providers = await configuredSocialProviders(environmentId);
  return providers.map((provider) => ({
    ...provider,
    environmentId,
    id: socialConnectionId(environmentId, provider.provider),
    protocol: 'oauth',
    type: provider.provider as ConnectionType,
  }));
}

/** The connection of a provider, by its id. It reads nothing for an id that no provider can have. */
export async function findSocialConnection(environmentId: string, id: string): Promise<SocialConnection | undefined> {
  if (!isId('conn', id) || readTime(id) !== readTime(environmentId)) return undefined;
  return (await socialConnections(environmentId)).find((one) => one.id === id);
}

/** A provider's connection in the form of the API. */
export const presentSocialConnection = (connection: SocialConnection): z.input<typeof Connection> => ({
  object: 'connection',
  id: connection.id,
  connection_type: connection.type,
  name: connection.name,
  state: connection.enabled ? 'active' : 'inactive',
  status: connection.enabled ? 'linked' : 'unlinked',
  domains: [],
  created_at: connection.createdAt,
  updated_at: connection.updatedAt,
});
