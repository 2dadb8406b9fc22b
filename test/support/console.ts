import { randomUUID } from 'node:crypto';

import { obtainGrant } from '../../functions/kernel/authentication/grant.ts';
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../functions/kernel/authentication/environment-id.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { browserHash } from '../../functions/kernel/http/browser.ts';
import type { IncomingRequest } from '../../functions/kernel/http/incoming-request.ts';
import { applyWork } from '../../functions/kernel/storage/background.ts';
import { ENVIRONMENT_OWNER } from '../../functions/kernel/storage/record.ts';
import { consoleSessions } from '../../functions/faces/console/session/session.ts';
import type { OperatorPermission } from '../../functions/kernel/authentication/operator-permission.ts';
import { type Browser, browser, type Page } from './browser.ts';
import { call, now, service } from './service.ts';
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

/** An operator of a test. */
interface TestOperator {
  /** The environment of the grant; the local one by default. */
  environmentId?: string;
  id?: string;
  name?: string;
}

/** The grant of an operator with some permissions in an environment, from the time of the service on. */
export async function operatorGrant(
  permissions: readonly OperatorPermission[],
  { environmentId, id = 'user_01', name = 'Ada' }: TestOperator = {},
): Promise<string> {
  clock.advance((await now()) - clock.now());
  const own = await environment();
  const sessionHash = await openConsoleSession(id);
  return obtainGrant(environmentId ?? own, randomUUID(), {
    actor: { id, name },
    operator: { permissions, roles: ['support'], sessionHash, address: '192.0.2.1', steppedUpUntil: 4e12 },
  });
}

/**
 * Signs an operator in to the console, unless they are, as the rows of a session: the grants of a test need one.
 * @returns the hash of the session's cookie
 */
export async function openConsoleSession(id: string): Promise<string> {
  const [known] = await consoleSessions.findLive(OPERATORS_ENVIRONMENT_ID, id);
  if (known !== undefined) return known.hash;
  let cookie = '';
  await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
    const opening = {
      environmentId: OPERATORS_ENVIRONMENT_ID,
      holderId: id,
      owner: ENVIRONMENT_OWNER,
      seconds: 28_800,
    };
    const session = { membershipId: 'om_01', provenAt: clock.now(), method: 'link' as const };
    cookie = await consoleSessions.stageOpening(unit, opening, session, { headers: {} } as IncomingRequest);
  });
  return browserHash(/=([^;]*)/.exec(cookie)?.[1] ?? '');
}

/** Calls the API with the grant of an operator and a reason. */
export const askAs = <T = Record<string, unknown>>(
  grant: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => call<T>(method, path, body, { apiKey: grant, headers: { 'gatehouse-reason': 'Ticket%2042', ...headers } });
