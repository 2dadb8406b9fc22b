import { systemActor } from '../../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import { clock } from '../../../kernel/clock.ts';
import { declareError, Failure } from '../../../kernel/errors.ts';
import { REASON_LENGTH } from '../../../kernel/http/operator.ts';
import { stageLineOfStage } from '../../../kernel/http/operators-log.ts';
import { breakGlassMail } from '../../../kernel/messages/templates/break-glass.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { environments } from '../../../kernel/storage/environment.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import { hashOfKey } from '../../../kernel/authentication/secret-key.ts';
import { admitStage } from '../link/authority.ts';
import { consoleLinks } from '../link/entity.ts';
import { mintConsoleLink } from '../link/make.ts';
import { notifyOwners } from './notify.ts';

/** Seconds for which an emergency access lasts, from the command on: one hour. */
export const BREAK_GLASS_SECONDS = 3_600;

const breakGlassRejected = declareError({
  status: 422,
  code: 'break_glass_rejected',
  message: 'The emergency access cannot be opened.',
});

/** The link of an emergency access, and who was notified. */
export interface OpenedBreakGlass {
  /** The path of the link, below the base URL. */
  path: string;
  /** The addresses of the owners who get a mail; none if the owners or the key of mails cannot be read. */
  notified: readonly string[];
}

/**
 * Makes a link that opens one environment in the console for one hour, once, without a user, a role or a connection. It is in the
 * operators' log, and the owners of the stage are notified by mail. Who may write the table may make one.
 * @throws Failure 422 with a message for the person who runs the command
 */
export async function breakGlass(environmentId: string, given: string): Promise<OpenedBreakGlass> {
  const reason = given.trim();
  const environment = await environments.get(environmentId, environmentId);
  if (environment === undefined || environment.deletedAt !== undefined || environment.kind === 'operators')
    throw new Failure(breakGlassRejected, { message: `There is no environment ${environmentId}.` });
  if (reason.length < REASON_LENGTH.least || reason.length > REASON_LENGTH.most)
    throw new Failure(breakGlassRejected, {
      message: `Give a reason of ${REASON_LENGTH.least} to ${REASON_LENGTH.most} characters.`,
    });
  const { token, path } = mintConsoleLink();
  await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
    const { write } = consoleLinks.create({
      environmentId: OPERATORS_ENVIRONMENT_ID,
      id: hashOfKey(token),
      owner: ENVIRONMENT_OWNER,
      expiresAt: clock.seconds() + BREAK_GLASS_SECONDS,
      breakGlass: { environmentId, reason },
      proofs: admitStage().authority,
    });
    unit.stage(write);
    const actor = { id: 'system', name: 'npm run operators -- break-glass' };
    stageLineOfStage(unit, { action: 'console.break_glass', actor, environmentId, reason });
  });
  const values = { environmentName: environment.name, environmentId: environment.id, reason };
  return { path, notified: await notifyOwners(breakGlassMail, values) };
}
