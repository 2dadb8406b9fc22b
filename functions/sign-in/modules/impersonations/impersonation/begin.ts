import type { Impersonation } from '../../../../kernel/authentication/impersonation.ts';
import { clock } from '../../../../kernel/clock.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { stageLineOfStage } from '../../../../kernel/http/operators-log.ts';
import { impersonationMail } from '../../../../kernel/messages/templates/impersonation.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { SessionRecord } from '../../../../tenancy/sessions/public.ts';
import { composeNotice, type UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { impersonationSettings } from '../settings.ts';
import { isImpersonationOpen } from './open.ts';

/** Reads the impersonation of an authorization code, if it may still begin; undefined if it may not. */
export async function admitImpersonation(environmentId: string, stored: unknown): Promise<Impersonation | undefined> {
  const impersonation = stored as Impersonation;
  return (await isImpersonationOpen(environmentId, impersonation)) ? impersonation : undefined;
}

/** Stages the line in the operators' log that the session began and, if the settings say so, the mail to the user. */
export async function stageBegin(
  unit: Unit,
  user: UserRecord,
  { impersonator, operatorId }: Impersonation,
  session: SessionRecord,
): Promise<void> {
  const { environmentId } = user;
  stageLineOfStage(unit, {
    action: 'impersonations.begin',
    actor: { id: operatorId, name: impersonator.email },
    environmentId,
    reason: `${session.id} as ${user.id}: ${impersonator.reason ?? ''}`,
  });
  const { notify_user: isNotified } = await findSettings(environmentId, impersonationSettings);
  const notice = isNotified ? await composeNotice(user, impersonationMail, { at: clock.timestamp() }) : undefined;
  if (notice !== undefined) unit.stage(notice);
}
