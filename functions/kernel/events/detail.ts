import type { EventRecord } from './entity.ts';

/** An event in the form of the bus: `detail` of an EventBridge event. */
export interface BusDetail {
  environment_id: string;
  id: string;
  event: string;
  /** The payload; absent if it is too large for the bus, and then the row is read by environment and id. */
  data?: unknown;
  /** The context; absent, like the payload, if the event is too large for the bus. */
  context?: unknown;
  organization_id?: string;
  created_at: string;
}

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
