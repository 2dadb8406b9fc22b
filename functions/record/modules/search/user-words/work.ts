import { awaitAll, mapConcurrently } from '../../../../kernel/concurrency.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import type { BusDetail } from '../../../../kernel/events/detail.ts';
import { performWork, type Step, workKind } from '../../../../kernel/storage/work.ts';
import { listUsers } from '../../../../tenancy/modules/users/public.ts';
import { indexUser } from './index-user.ts';
import { searchSettings } from './settings.ts';

/**
 * The work that makes the words of all users those of the setting. It runs twice, since its list of users lags, and other instances
 * see a change of the setting within seconds.
 */
export const userIndexing = workKind<Record<string, never>>('search.index_users', { runs: 2 });

/** Number of users of a step, and of those that are written at once. */
const PAGE = 100;
const WIDTH = 10;

/** The events of users whose words may have changed. */
export const INDEXED_EVENTS = ['user.created', 'user.updated', 'user.deleted'] as const;

const readIsOn = async (environmentId: string): Promise<boolean> =>
  (await findSettings(environmentId, searchSettings)).users;

const step: Step<Record<string, never>> = async ({ environmentId, progress }) => {
  const [{ records, reached }, isOn] = await awaitAll([
    listUsers(environmentId, { scan: 'asc', limit: PAGE, ...(progress !== undefined && { after: progress }) }),
    readIsOn(environmentId),
  ]);
  await mapConcurrently(records, WIDTH, ({ id }) => indexUser(environmentId, id, isOn));
  return reached;
};

/** Does the work of the setting, or indexes the user of an event. */
export async function indexWords(detail: BusDetail): Promise<void> {
  if (!INDEXED_EVENTS.some((name) => name === detail.event)) return performWork(detail, [userIndexing.by(step)]);
  const { environment_id: environmentId, data } = detail;
  const id = (data as { id?: string } | undefined)?.id;
  if (id === undefined || !(await readIsOn(environmentId))) return;
  await indexUser(environmentId, id, true);
}
