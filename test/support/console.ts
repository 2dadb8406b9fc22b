import { randomUUID } from 'node:crypto';

import { obtainGrant } from '../../functions/kernel/authentication/grant.ts';
import type { OperatorPermission } from '../../functions/kernel/authentication/operator-permission.ts';
import { type Browser, browser, type Page } from './browser.ts';
import { service } from './service.ts';
import { environment } from './users.ts';

/** An operator in a browser. */
export interface ConsoleVisitor {
  person: Browser;
  /** The page to which the link led. */
  first: Page;
}

/** Opens a path of the service in a browser. */
export const openPath = async (person: Browser, path: string): Promise<Page> =>
  person.open(`${(await service()).url}${path}`);

/** Signs a browser in to the console as the local owner, by `/_local/console`. */
export async function openConsole(person: Browser = browser()): Promise<ConsoleVisitor> {
  const link = await openPath(person, '/_local/console');
  return { person, first: await person.submit(link) };
}

/** The grant of an operator with some permissions in an environment, by default the local one. */
export const operatorGrant = async (
  permissions: readonly OperatorPermission[],
  environmentId?: string,
): Promise<string> =>
  obtainGrant(environmentId ?? (await environment()), randomUUID(), {
    actor: { id: 'user_01', name: 'Ada' },
    operator: { permissions, roles: ['support'], sessionHash: 'hash', address: '192.0.2.1', steppedUpUntil: 4e12 },
  });
