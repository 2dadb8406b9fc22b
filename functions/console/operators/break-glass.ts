import { systemActor } from '../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../kernel/authentication/environment-id.ts';
import { clock } from '../../kernel/clock.ts';
import { declareError, Failure } from '../../kernel/errors.ts';
import { REASON_LENGTH } from '../../kernel/http/operator.ts';
import { stageLineOfStage } from '../../kernel/http/operators-log.ts';
import { log } from '../../kernel/log.ts';
import { composeMessage } from '../../kernel/messages/compose.ts';
import { breakGlassMail } from '../../kernel/messages/templates/break-glass.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { environments, type EnvironmentRecord } from '../../kernel/storage/environment.ts';
import { ENVIRONMENT_OWNER } from '../../kernel/storage/record.ts';
import { hashOfKey } from '../../kernel/authentication/secret-key.ts';
import { findMembershipById } from '../../memberships/public.ts';
import { findUsersById } from '../../users/public.ts';
import { consoleLinks } from '../link/entity.ts';
import { mintConsoleLink } from '../link/make.ts';
import { findOwners } from './environment.ts';

/** Seconds for which an emergency access lasts, from the command on: one hour. */
export const BREAK_GLASS_SECONDS = 3_600;

/** The most owners who are notified by mail. */
const MOST_OWNERS = 50;

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
    });
    unit.stage(write);
    const actor = { id: 'system', name: 'npm run operators -- break-glass' };
    stageLineOfStage(unit, { action: 'console.break_glass', actor, environmentId, reason });
  });
  return { path, notified: await notifyOwners(environment, reason) };
}

/**
 * Mails the owners. The access must not depend on their rows or on a key, which may be what is broken.
 * @returns their addresses
 */
async function notifyOwners(environment: EnvironmentRecord, reason: string): Promise<string[]> {
  try {
    const addresses = await findOwnerAddresses();
    await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
      for (const to of addresses) {
        const values = { environmentName: environment.name, environmentId: environment.id, reason };
        const mail = { environmentId: OPERATORS_ENVIRONMENT_ID, channel: 'email' as const, to };
        unit.stage(await composeMessage({ ...mail, template: breakGlassMail, values }));
      }
    });
    return addresses;
  } catch (error) {
    log.error('the owners were not notified of an emergency access', { error });
    return [];
  }
}

async function findOwnerAddresses(): Promise<string[]> {
  const owners = await findOwners(MOST_OWNERS);
  const members = await Promise.all(
    owners.map(({ holderId }) => findMembershipById(OPERATORS_ENVIRONMENT_ID, holderId)),
  );
  const userIds = members.flatMap((member) => (member?.status === 'active' ? [member.userId] : []));
  return (await findUsersById(OPERATORS_ENVIRONMENT_ID, userIds)).map(({ email }) => email);
}
