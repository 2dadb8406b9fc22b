import { clientIdOfApplication } from '../application/client-id.ts';
import { clock } from '../../../kernel/clock.ts';
import { DAY_SECONDS } from '../../../kernel/durations.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { locateClient } from '../../../sign-in/modules/authorization-server/public.ts';
import { type ApplicationRecord, applications } from '../application/entity.ts';

/** Seconds after which a registration is removed if no user has authorized the application. */
export const UNUSED_SECONDS = DAY_SECONDS;

/** Seconds without use after which a registration is removed. */
const IDLE_SECONDS = 90 * DAY_SECONDS;

/** Returns the write with which root endpoints find an application that has a client id of its own. */
export const locateApplication = (record: ApplicationRecord): Write =>
  locateClient({
    ...record,
    clientId: clientIdOfApplication(record),
    owner: record.owner,
    expiresAt: record.expiresAt,
  });

/** Postpones the expiry of an application that registered itself, at most once a day; other applications do not expire. */
export function stageUseOfApplication(unit: Pick<Unit, 'stage'>, application: ApplicationRecord): void {
  const { expiresAt } = application;
  const next = clock.seconds() + IDLE_SECONDS;
  if (expiresAt === undefined || expiresAt > next - DAY_SECONDS) return;
  const { record, write } = applications.revise(application, { expiresAt: next });
  unit.stage(record.documentUrl === undefined ? [write, locateApplication(record)] : write);
}
