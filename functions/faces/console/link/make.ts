import { systemActor } from '../../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import { hashOfKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { unguarded, type Write } from '../../../kernel/storage/write.ts';
import { admitStage, type ConsoleVerdict } from './authority.ts';
import {
  consoleLinks,
  type ConsoleLinkRecord,
  endOfLinks,
  LINK_SECONDS,
  linkTokens,
  openInvitation,
} from './entity.ts';

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
export function consoleLinkRow({ authority: proofs }: ConsoleVerdict, token: string, options: LinkOptions): Write {
  const expiresAt = clock.seconds() + LINK_SECONDS;
  const row = { environmentId: OPERATORS_ENVIRONMENT_ID, id: hashOfKey(token), owner: ENVIRONMENT_OWNER, expiresAt };
  return consoleLinks.create({ ...row, ...options, proofs }).write;
}

/** Finds the invitation of an address that was not used, and that has not expired or ended. */
export async function findOpenInvitation(email: string): Promise<ConsoleLinkRecord | undefined> {
  const row = await consoleLinks.get(OPERATORS_ENVIRONMENT_ID, openInvitation(email));
  return (row?.expiresAt ?? 0) > clock.seconds() ? row : undefined;
}

/**
 * Stages the end of the unused links and of the open invitation of an address. Links that are made afterwards are valid.
 * @returns true if there was an open invitation
 */
export async function stageEndOfLinks(unit: Pick<Unit, 'stage'>, email: string): Promise<boolean> {
  const expiresAt = clock.seconds() + LINK_SECONDS;
  const row = { environmentId: OPERATORS_ENVIRONMENT_ID, id: endOfLinks(email), owner: ENVIRONMENT_OWNER, expiresAt };
  unit.stage(unguarded(consoleLinks.create(row).write));
  const invitation = await findOpenInvitation(email);
  if (invitation !== undefined) unit.stage(consoleLinks.remove(invitation));
  return invitation !== undefined;
}

/** Stages the invitation of a new operator, or another role and 24 further hours for one that is open. */
async function stageInvitation(unit: Pick<Unit, 'stage'>, email: string, role: string): Promise<void> {
  const id = openInvitation(email);
  const former = await consoleLinks.get(OPERATORS_ENVIRONMENT_ID, id);
  const content = { email, role, expiresAt: clock.seconds() + LINK_SECONDS };
  const row = { environmentId: OPERATORS_ENVIRONMENT_ID, id, owner: ENVIRONMENT_OWNER, ...content };
  unit.stage(former === undefined ? consoleLinks.create(row).write : consoleLinks.revise(former, content).write);
}

/**
 * Creates a link into the console that can be used once within 24 hours; with an address and a role it is an invitation. Anyone who may
 * write the table may create one.
 * @returns the path of the link, below the base URL
 */
export async function createConsoleLink(options: LinkOptions): Promise<string> {
  const { token, path } = mintConsoleLink();
  await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
    unit.stage(consoleLinkRow(admitStage(), token, options));
    if (options.email !== undefined && options.role !== undefined)
      await stageInvitation(unit, options.email, options.role);
  });
  return path;
}
