import { DAY_SECONDS } from '../durations.ts';
import type { Actor } from '../authentication/caller.ts';
import { clock } from '../clock.ts';
import type { EventOrigin, OwnContext } from './catalogue/context.ts';
import { newId } from '../ids.ts';
import { readTime } from '../id-format.ts';
import { settings } from '../settings.ts';
import type { Write } from '../storage/write.ts';
import { events } from './entity.ts';
import { choosePartition, subjectPartition } from './partitions.ts';
import { findSubject } from './subject.ts';

/** An event to be written by a unit of work. */
export interface PendingEvent {
  environmentId: string;
  actor: Actor;
  name: string;
  data: unknown;
  organizationId?: string | undefined;
  context?: OwnContext | undefined;
  previousAttributes?: Record<string, unknown> | undefined;
}

/**
 * The write of an event's row; its id and time are taken at this call.
 * @param origin the members of the context that all events of a unit of work have
 */
export function composeEvent(pending: PendingEvent, origin: EventOrigin = {}): Write {
  const id = newId('event');
  const context = {
    ...origin,
    ...pending.context,
    actor: pending.actor,
    ...(pending.previousAttributes === undefined ? {} : { previous_attributes: pending.previousAttributes }),
  };
  const partition = choosePartition(id);
  const subject = findSubject(pending);
  const fields = {
    environmentId: pending.environmentId,
    id,
    partition,
    subject: subject && subjectPartition(subject, partition),
    name: pending.name,
    data: JSON.stringify(pending.data),
    context: JSON.stringify(context),
    organizationId: pending.organizationId,
    expiresAt: clock.seconds() + settings().GATEHOUSE_EVENT_RETENTION_DAYS * DAY_SECONDS,
  };
  // A range of times is read as a range of ids, so the event's time is that of its id.
  return events.create(fields, new Date(readTime(id)).toISOString()).write;
}
