import { clock } from '../../../kernel/clock.ts';
import { connections, type SamlPart } from './entity.ts';
import { findNextEnd } from './reminders.ts';

/** The validity of a connection's certificates. */
export interface ConnectionValidity {
  id: string;
  name: string;
  organizationId: string;
  state: string;
  /** True if it is inactive only because all certificates of its identity provider have expired. */
  hasLapsed: boolean;
  /** The time in ms when the next certificate that it needs expires; undefined if none does. */
  nextEnd: number | undefined;
  updatedAt: string;
}

/** The newest connections of an environment, by one Query (eventually consistent). */
export async function listConnectionValidity(environmentId: string, limit: number): Promise<ConnectionValidity[]> {
  const found = await connections.list('byCreation', { environmentId }).take(limit, 'desc');
  const now = clock.now();
  return found.map(({ id, name, organizationId, state, hasLapsed, saml, updatedAt }) => ({
    id,
    name,
    organizationId,
    state,
    hasLapsed: hasLapsed === true,
    nextEnd: saml === undefined ? undefined : findNextEnd(saml as SamlPart, now),
    updatedAt,
  }));
}
