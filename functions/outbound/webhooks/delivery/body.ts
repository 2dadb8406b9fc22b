import type { BusDetail } from '../../../kernel/events/detail.ts';

/** The body of a delivery: the exact bytes that are signed, the same in every attempt. */
export function renderBody({ id, event, data, created_at: createdAt, context }: BusDetail): string {
  return JSON.stringify({
    id,
    event,
    data,
    created_at: createdAt,
    object: 'event',
    ...(context === undefined ? {} : { context }),
  });
}
