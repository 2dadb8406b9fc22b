import type { Caller } from '../../../../kernel/authentication/caller.ts';
import { stageTakeoverAct } from '../../../../kernel/authentication/takeover-guard.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { DAY_SECONDS, HOUR_MS } from '../../../../kernel/durations.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { newId } from '../../../../kernel/ids.ts';
import { factorResetMail, pendingFactorResetMail } from '../../../../kernel/messages/templates/factor-reset.ts';
import { settings } from '../../../../kernel/settings.ts';
import { dueOn } from '../../../../kernel/storage/due.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { composeNotice, findUser, type UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { factorResetSettings } from '../settings.ts';
import { type FactorResetRecord, factorResets, stopLinks, stopTokens } from './entity.ts';
import type { StoppableReset } from './find.ts';

/** Seconds for which a finished reset is shown. */
const KEPT_SECONDS = 30 * DAY_SECONDS;
/** The most resets of a user that are read. */
const MOST = 100;

/** The factor that is reset. */
export interface ResetFactor {
  kind: FactorResetRecord['kind'];
  id: string;
  /** The user; undefined for a factor of a person who is no user of this service. */
  userId: string | undefined;
}

/** The resets of a user, the newest first, by one strongly consistent Query. */
export async function findResets(environmentId: string, userId: string): Promise<FactorResetRecord[]> {
  const found = await factorResets.list('primary', { environmentId, userId }).take(MOST, 'desc');
  return found.filter(({ expiresAt = 0 }) => expiresAt > clock.seconds());
}

/** Stages the mail to the person that a factor was removed. */
export async function stageResetNotice(unit: Pick<Unit, 'stage'>, user: UserRecord): Promise<void> {
  const notice = await composeNotice(user, factorResetMail, { at: clock.timestamp() });
  if (notice !== undefined) unit.stage(notice);
}

/**
 * Stages the mail to the person whose factor an operator removes, and the delay that the environment has set.
 * @returns the reset that waits; undefined if the caller removes the factor now, which is every caller that is no operator
 * @throws Failure 403 if the operator changed the person's address within a day
 */
export async function stageReset(
  unit: Pick<Unit, 'stage'>,
  caller: Caller,
  { kind, id: factorId, userId }: ResetFactor,
): Promise<FactorResetRecord | undefined> {
  const { environmentId, operator, actor } = caller;
  if (operator === undefined || userId === undefined) return undefined;
  await stageTakeoverAct(unit, caller, userId, 'factor');
  const [user, { delay_hours: hours }, resets] = await awaitAll([
    findUser(environmentId, userId),
    findSettings(environmentId, factorResetSettings),
    findResets(environmentId, userId),
  ]);
  if (user === undefined) return undefined;
  if (hours === 0) {
    await stageResetNotice(unit, user);
    return undefined;
  }
  const waiting = resets.find((each) => each.state === 'pending' && each.factorId === factorId);
  if (waiting !== undefined) return waiting;
  const id = newId('factor_reset');
  const time = clock.now() + hours * HOUR_MS;
  const { record, write } = factorResets.create({
    environmentId,
    id,
    owner: ownerKey('user', userId),
    userId,
    kind,
    factorId,
    state: 'pending',
    executeAt: new Date(time).toISOString(),
    operatorId: actor.id,
    operatorName: actor.name ?? undefined,
    isBreakGlass: operator.roles.includes('break-glass') || undefined,
    expiresAt: Math.ceil(time / 1_000) + KEPT_SECONDS,
    ...dueOn(id, time),
  });
  unit.stage(write);
  await stageStopMail(unit, user, record);
  return record;
}

/** Stages the mail with the link that stops a reset. */
async function stageStopMail(unit: Pick<Unit, 'stage'>, user: UserRecord, reset: FactorResetRecord): Promise<void> {
  const { environmentId, userId, id: resetId, executeAt } = reset;
  const { token, id } = stopTokens.mint(environmentId);
  const url = `${settings().GATEHOUSE_BASE_URL}/hosted/account/factor_resets/${token}`;
  const notice = await composeNotice(user, pendingFactorResetMail, { at: executeAt, url });
  if (notice === undefined) return;
  const expiresAt = Math.ceil(Date.parse(executeAt) / 1_000);
  unit.stage([
    notice,
    stopLinks.create({ environmentId, id, owner: ownerKey('user', userId), userId, resetId, expiresAt }).write,
  ]);
}

/** Stages that the person stops a reset with the link, which is used up. */
export function stageStop(unit: Pick<Unit, 'stage'>, { link, reset }: StoppableReset): void {
  unit.stage(stopLinks.remove(link));
  stageEndOfReset(unit, reset, 'stopped');
}

/** Stages the end of a reset that waits. */
export function stageEndOfReset(
  unit: Pick<Unit, 'stage'>,
  reset: FactorResetRecord,
  state: Exclude<FactorResetRecord['state'], 'pending'>,
): FactorResetRecord {
  const { record, write } = factorResets.revise(reset, { state, dueAt: undefined, dueShard: undefined });
  unit.stage(write);
  return record;
}
