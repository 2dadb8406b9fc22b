import type { BusDetail } from '../http/worker.ts';
import type { EventRecord } from './entity.ts';

type EventFields = Pick<EventRecord, 'environmentId' | 'id' | 'name' | 'data' | 'createdAt'> & {
  context?: string | undefined;
  organizationId?: string | undefined;
};

/** An event's row in the form in which it is sent on the bus. */
export function makeDetail({
  environmentId,
  id,
  name,
  data,
  context,
  organizationId,
  createdAt,
}: EventFields): BusDetail {
  return {
    environment_id: environmentId,
    id,
    event: name,
    data: JSON.parse(data) as unknown,
    ...(context === undefined ? {} : { context: JSON.parse(context) as unknown }),
    ...(organizationId === undefined ? {} : { organization_id: organizationId }),
    created_at: createdAt,
  };
}
