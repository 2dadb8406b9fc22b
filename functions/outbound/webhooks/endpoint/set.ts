import { awaitAll } from '../../../kernel/concurrency.ts';
import { raiseHead, readVersion } from '../../../kernel/storage/head.ts';
import { Snapshots } from '../../../kernel/storage/snapshot.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { type EndpointRecord, endpoints, findEndpoints } from './entity.ts';

const ENDPOINTS_HEAD = 'webhook-endpoints';

/** Cached endpoints by environment. A hundred of them take some 100 KB. */
const sets = new Snapshots<readonly EndpointRecord[]>(100);

/**
 * The endpoints of an environment, which an instance caches by their version: one strongly consistent GetItem of a copy of the version,
 * so that no event is delivered by an older set. After a change it takes two round trips.
 */
export const loadEndpoints = (environmentId: string): Promise<readonly EndpointRecord[]> =>
  sets.load(environmentId, {
    version: () => readEndpointsVersion(environmentId),
    rows: () => findEndpoints(environmentId),
    compile: (rows) => rows,
  });

export const readEndpointsVersion = (environmentId: string): Promise<number> =>
  readVersion(environmentId, ENDPOINTS_HEAD);

/** An endpoint with the version of all of them, for a change of it: one BatchGetItem. */
export async function findForChange(
  environmentId: string,
  id: string,
): Promise<{ former: EndpointRecord; version: number } | undefined> {
  const [former, version] = await readTogether(() =>
    awaitAll([endpoints.get(environmentId, id), readEndpointsVersion(environmentId)]),
  );
  return former && { former, version };
}

/** A change of an endpoint, with the next version of all of them; it fails if another one was changed since the version was read. */
export const changeEndpoints = (environmentId: string, version: number, write: Write): Write[] => [
  write,
  ...raiseHead(environmentId, ENDPOINTS_HEAD, version),
];
