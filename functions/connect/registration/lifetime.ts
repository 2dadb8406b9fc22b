import { clock } from '../../kernel/clock.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { type ApplicationRecord, applications } from '../application/entity.ts';

const DAY = 86_400;

/** Seconds after which a registration is removed if no user has authorized the application. */
export const UNUSED_SECONDS = DAY;

/** Seconds without use after which a registration is removed. */
const IDLE_SECONDS = 90 * DAY;

/** Postpones the expiry of an application that registered itself, at most once a day; other applications do not expire. */
export function stageUseOfApplication(unit: Pick<Unit, 'stage'>, application: ApplicationRecord): void {
  const { expiresAt } = application;
  const next = clock.seconds() + IDLE_SECONDS;
  if (expiresAt === undefined || expiresAt > next - DAY) return;
  unit.stage(applications.revise(application, { expiresAt: next }).write);
}
