import { environmentOfSignIn } from '../../../kernel/authentication/client.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { declareError, general } from '../../../kernel/errors.ts';
import { browserValue } from '../../../kernel/http/browser.ts';
import type { Binding } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import { PageFailure } from '../../../kernel/pages/error-page.ts';
import type { HeldSession } from '../../../kernel/pages/session.ts';
import { findSurroundings, plainSurroundings, type Surroundings } from '../../../kernel/pages/surroundings.ts';
import { settings } from '../../../kernel/settings.ts';
import { acceptConflict } from '../../../kernel/storage/background.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import {
  findPortalSession,
  type Intent,
  obtainPortalGrant,
  type PortalSession,
  portalSessions,
} from '../../../tenancy/modules/portal-access/public.ts';
import { type Translate, translateFor } from '../words/index.ts';
import { type Api, makeApi } from './api.ts';

/** The error for a page of the portal that cannot be shown, which is the same for every reason. */
export const sessionEnded = declareError({
  status: 403,
  code: 'portal_session_ended',
  message: 'There is no session of the portal in this browser. Open a new link.',
});

/** A request of a browser with a session. */
export interface Visit {
  environmentId: string;
  session: HeldSession<PortalSession>;
  /** The value of the session's cookie. */
  cookie: string;
  surroundings: Surroundings;
  locale: string;
  translate: Translate;
  /** The public API, called with the session's grant. */
  api: Api;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The URL of a page of the portal; the path, such as `sso`, is below the environment's. */
  path: (page: string) => string;
}

/** The cookie of the portal in an environment. */
export const portalBinding = (environmentId: string): Binding => ({ purpose: 'portal', id: readUlid(environmentId) });

/** The address of a page of the portal. */
export const portalAddress = (environmentId: string, page: string): string =>
  `${settings().GATEHOUSE_BASE_URL}/portal/${makeClientId(environmentId)}/${page}`;

/** The error for a browser without a session. */
export const endedSession = (request: IncomingRequest): PageFailure =>
  new PageFailure(sessionEnded, async () => endingPage(await plainSurroundings(request), 'setup.ended'));

/** The error for a page that the tasks of the session do not include, or for a record that the organization does not have. */
export const missingPage = ({ surroundings }: Pick<Visit, 'surroundings'>): PageFailure =>
  new PageFailure(general.noSuchRoute, endingPage(surroundings, 'error.not_found'));

/**
 * Finds the session of a request and records its use: one GetItem, and a second one for an IT contact's session.
 * @param intents The tasks to which the page belongs; empty for a page of every session.
 * @throws PageFailure
 */
export async function findVisit(
  request: IncomingRequest,
  params: Readonly<Record<string, string>>,
  intents: readonly Intent[],
): Promise<Visit> {
  const environmentId = environmentOfSignIn(params.client_id ?? '');
  const cookie = environmentId === undefined ? undefined : browserValue(request, portalBinding(environmentId));
  if (environmentId === undefined || cookie === undefined) throw endedSession(request);
  const session = await findPortalSession(environmentId, request);
  if (session === undefined) throw endedSession(request);
  const surroundings = await findSurroundings(environmentId, request);
  if (intents.length > 0 && !intents.some((intent) => session.intents.includes(intent)))
    throw missingPage({ surroundings });
  await noteUse(environmentId, session);
  return {
    environmentId,
    session,
    cookie,
    surroundings,
    locale: surroundings.language.locale,
    translate: await translateFor(surroundings),
    api: makeApi(() => obtainPortalGrant(environmentId, cookie, session)),
    params,
    query: new URLSearchParams(request.rawQuery),
    path: (page) => portalAddress(environmentId, page),
  };
}

/** Postpones the idle end of a session. */
async function noteUse(environmentId: string, session: HeldSession<PortalSession>): Promise<void> {
  const unit = new Unit(environmentId, systemActor);
  await portalSessions.stageUse(unit, environmentId, session);
  if (!unit.isEmpty) acceptConflict(await unit.commit(), 'another request of the session has postponed its end');
}
