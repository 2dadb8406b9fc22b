import { systemActor } from '../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../kernel/authentication/environment-id.ts';
import { hashOfKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { ENVIRONMENT_OWNER } from '../../kernel/storage/record.ts';
import { unguarded, type Write } from '../../kernel/storage/write.ts';
import { consoleLinks, endOfLinks, LINK_SECONDS, linkTokens } from './entity.ts';

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

/** A new token of a link, and the path of the link below the base URL. */
export function mintConsoleLink(): { token: string; path: string } {
  const { token } = linkTokens.mint(OPERATORS_ENVIRONMENT_ID);
  return { token, path: linkPath(token) };
}

const linkPath = (token: string): string => `/console/link/${token}`;

/** The write that makes the link of a token valid, once within 24 hours. */
export function consoleLinkRow(token: string, options: LinkOptions): Write {
  const expiresAt = clock.seconds() + LINK_SECONDS;
  const row = { environmentId: OPERATORS_ENVIRONMENT_ID, id: hashOfKey(token), owner: ENVIRONMENT_OWNER, expiresAt };
  return consoleLinks.create({ ...row, ...options }).write;
}

/** The write that ends the unused links of an address. Links that are made afterwards are valid. */
export function endLinks(email: string): Write {
  const expiresAt = clock.seconds() + LINK_SECONDS;
  const row = { environmentId: OPERATORS_ENVIRONMENT_ID, id: endOfLinks(email), owner: ENVIRONMENT_OWNER, expiresAt };
  return unguarded(consoleLinks.create(row).write);
}

/**
 * Creates a link into the console that can be used once within 24 hours. Anyone who may write the table may create one.
 * @returns the path of the link, below the base URL
 */
export async function createConsoleLink(options: LinkOptions): Promise<string> {
  const { token, path } = mintConsoleLink();
  await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => unit.stage(consoleLinkRow(token, options)));
  return path;
}
