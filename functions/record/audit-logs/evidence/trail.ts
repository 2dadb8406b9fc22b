import { HOUR_MS } from '../../../kernel/durations.ts';
import { clock } from '../../../kernel/clock.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { trails } from './entity.ts';

/** The trail of an organization without sealed segments, whose retention is checked daily. */
export const newTrail = (environmentId: string, organizationId: string, retentionDays?: number) =>
  trails.create({
    environmentId,
    id: organizationId,
    retentionDays,
    segment: 0,
    ...dueOn(organizationId, clock.now() + 24 * HOUR_MS),
  });
