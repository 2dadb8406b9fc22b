import type { Actor } from '../authentication/caller.ts';
import { clock } from '../clock.ts';
import { newId } from '../ids.ts';
import { timeOf } from '../id-format.ts';
import { settings } from '../settings.ts';
import type { Write } from '../storage/write.ts';
import { events, partitionOf } from './entity.ts';

/** An event that a unit of work will write. */
export interface PendingEvent {
  environmentId: string;
  actor: Actor;
  name: string;
  data: unknown;
  organizationId?: string | undefined;
  previousAttributes?: Record<string, unknown> | undefined;
}

const DAY_SECONDS = 86_400;

/** The write of an event's row, with its id and time taken now. */
export function composeEvent(pending: PendingEvent): Write {
  const id = newId('event');
  const context = {
    actor: pending.actor,
    ...(pending.previousAttributes === undefined ? {} : { previous_attributes: pending.previousAttributes }),
  };
  const fields = {
    environmentId: pending.environmentId,
    id,
    partition: partitionOf(id),
    name: pending.name,
    data: JSON.stringify(pending.data),
    context: JSON.stringify(context),
    organizationId: pending.organizationId,
    expiresAt: clock.seconds() + settings().GATEHOUSE_EVENT_RETENTION_DAYS * DAY_SECONDS,
  };
  // Ranges of time are ranges of ids, so the time is the id's own.
  return events.create(fields, new Date(timeOf(id)).toISOString()).write;
}
