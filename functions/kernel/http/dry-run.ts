import type { Caller } from '../authentication/caller.ts';
import { Failure, general } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { rehearse } from '../storage/rehearsal.ts';
import type { Unit } from '../storage/unit.ts';
import type { IncomingRequest } from './incoming-request.ts';

/** The header of a dry run, in lower case. */
export const DRY_RUN_HEADER = 'gatehouse-dry-run';

/**
 * Reports whether a call is a dry run. A read changes nothing and is done in either case.
 * @throws Failure for an operation that cannot be rehearsed, which is then not done, and for an unknown value
 */
export function isDryRun({ method, dryRun }: Operation, { headers }: IncomingRequest): boolean {
  const asked = headers[DRY_RUN_HEADER]?.trim().toLowerCase();
  if (asked === undefined || asked === 'false' || method === 'GET') return false;
  if (asked !== 'true') {
    const issue = { field: 'Gatehouse-Dry-Run', code: 'invalid', message: 'is true or false' };
    throw new Failure({ ...general.invalidParameters, status: 400 }, { issues: [issue] });
  }
  if (dryRun !== true) throw new Failure(general.dryRunNotSupported);
  return true;
}

/** A response of a handler, or of a rehearsal. */
interface HandlerResponse {
  status: number;
  body?: unknown;
}

/** The area whose operations show events. */
const EVENTS_AREA = 'events';

/**
 * Reports whether a caller may read events, for example with `GET /events`. For another caller a dry run names the events without
 * their data, which can be that of other records, such as the members of an organization.
 */
const mayReadEvents = ({ limits, grant, operator }: Caller): boolean =>
  grant === undefined &&
  (limits?.areas?.includes(EVENTS_AREA) ?? true) &&
  (operator?.permissions.has('people.read') ?? true);

/**
 * Rehearses a call whose handler has run. Returns undefined after a conflict.
 * @param response the response that the call would have; its new ids and times will differ
 */
export async function respondToDryRun(
  caller: Caller,
  unit: Pick<Unit, 'compose' | 'events'>,
  { status, body }: HandlerResponse,
): Promise<HandlerResponse | undefined> {
  const rehearsed = await rehearse(caller.environmentId, unit);
  if (rehearsed.kind === 'conflict') return undefined;
  const isWhole = mayReadEvents(caller);
  const emits = unit.events.map(({ name, data, previousAttributes }) => ({
    event: name,
    ...(isWhole && { data, ...(previousAttributes !== undefined && { previous_attributes: previousAttributes }) }),
  }));
  const would = { status, body: body ?? null, writes: rehearsed.writes, emits };
  return { status: 200, body: { object: 'dry_run', would } };
}
