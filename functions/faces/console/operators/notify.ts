import type * as z from 'zod';

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { log } from '../../../kernel/log.ts';
import { composeMessage } from '../../../kernel/messages/compose.ts';
import type { Template } from '../../../kernel/messages/template.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { findMembershipById } from '../../../tenancy/modules/memberships/public.ts';
import { findUsersById } from '../../../tenancy/modules/users/public.ts';
import { findOwners } from './environment.ts';

/** The most owners who are notified by mail. */
const MOST_OWNERS = 50;

/**
 * Mails the owners of the stage about an act of a command. The act must not depend on their rows or on a key, which may be what is
 * broken.
 * @returns their addresses; none if the owners or the key of mails cannot be read
 */
export async function notifyOwners<Values extends z.ZodType>(
  template: Template<string, Values>,
  values: z.input<Values>,
): Promise<string[]> {
  try {
    const addresses = await findOwnerAddresses();
    await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
      for (const to of addresses) {
        const mail = { environmentId: OPERATORS_ENVIRONMENT_ID, channel: 'email' as const, to };
        unit.stage(await composeMessage({ ...mail, template, values }));
      }
    });
    return addresses;
  } catch (error) {
    log.error('the owners were not notified of an act of a command', { template: template.name, error });
    return [];
  }
}

async function findOwnerAddresses(): Promise<string[]> {
  const owners = await findOwners(MOST_OWNERS);
  const members = await awaitAll(owners.map(({ holderId }) => findMembershipById(OPERATORS_ENVIRONMENT_ID, holderId)));
  const userIds = members.flatMap((member) => (member?.status === 'active' ? [member.userId] : []));
  return (await findUsersById(OPERATORS_ENVIRONMENT_ID, userIds)).map(({ email }) => email);
}
