import { ENVIRONMENT_KEY_PREFIX, environmentIdOf } from '../../../functions/kernel/authentication/api-key.ts';
import { readKey } from '../../../functions/kernel/authentication/secret-key.ts';
import type { Connection } from '../../support/connection.ts';

/** The environment of a connection's key, for cases that write rows themselves. */
export const findEnvironment = ({ apiKey }: Pick<Connection, 'apiKey'>): string =>
  environmentIdOf(readKey(ENVIRONMENT_KEY_PREFIX, apiKey)?.ulid ?? '');
