import { findEndpoints } from '../endpoint/entity.ts';
import { healths } from './entity.ts';

/** The state of an endpoint, without its secret. */
export interface EndpointState {
  id: string;
  url: string;
  status: 'enabled' | 'disabled';
  disabledReason: 'request' | 'gone' | 'failing' | undefined;
  /** The time of the last change of the endpoint's state. */
  updatedAt: string;
  /** Failed attempts since the last success, and the time of the first of them. */
  failures: number;
  failingSince: string | undefined;
}

/** The states of all endpoints of an environment, at most a hundred: one Query, then one BatchGetItem, strongly consistent. */
export async function findEndpointStates(environmentId: string): Promise<EndpointState[]> {
  const all = await findEndpoints(environmentId);
  const found = await healths.getMany(
    environmentId,
    all.map(({ id }) => id),
  );
  const byId = new Map(found.map((health) => [health.id, health]));
  return all.map(({ id, url, status, disabledReason, updatedAt }) => ({
    id,
    url,
    status,
    disabledReason,
    updatedAt,
    failures: byId.get(id)?.failures ?? 0,
    failingSince: byId.get(id)?.failingSince,
  }));
}
