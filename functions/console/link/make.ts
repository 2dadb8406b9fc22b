import { systemActor } from '../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../kernel/authentication/environment-id.ts';
import { clock } from '../../kernel/clock.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { ENVIRONMENT_OWNER } from '../../kernel/storage/record.ts';
import { provideOperatorsEnvironment } from '../operators/environment.ts';
import { consoleLinks, LINK_SECONDS, linkTokens } from './entity.ts';

/** The operator of a link. */
export interface LinkOptions {
  /** The address; absent if the person who opens the link enters it. */
  email?: string;
  name?: string;
  /** The slug of a role for all environments, such as `owner`; absent for an operator who has roles already. */
  role?: string;
  /** True for a link that is void as soon as there is an owner. */
  isForFirstOwner?: boolean;
}

/**
 * Creates a link into the console that can be used once within 24 hours, with the environment of the operators if that does not
 * exist. Anyone who may write the table may create one.
 * @returns the path of the link, below the base URL
 */
export async function createConsoleLink(options: LinkOptions): Promise<string> {
  await provideOperatorsEnvironment();
  const { token, id } = linkTokens.mint(OPERATORS_ENVIRONMENT_ID);
  const expiresAt = clock.seconds() + LINK_SECONDS;
  const row = { environmentId: OPERATORS_ENVIRONMENT_ID, id, owner: ENVIRONMENT_OWNER, expiresAt, ...options };
  await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => unit.stage(consoleLinks.create(row).write));
  return `/console/link/${token}`;
}
