import type { ConnectionRecord } from '../connection/entity.ts';
import { attempts } from './entity.ts';
import { isTestOf } from './rules.ts';

/** Number of a connection's latest attempts among which a test is looked for. */
const LATEST = 20;

/**
 * Reports whether a test sign-in has succeeded since the last change of a connection, which is read by its version, not by times. It
 * takes one strongly consistent Query.
 */
export async function isTested({ environmentId, id: connectionId, version }: ConnectionRecord): Promise<boolean> {
  const latest = await attempts.list('primary', { environmentId, connectionId }).take(LATEST, 'desc');
  return latest.some((attempt) => isTestOf(version, attempt));
}
