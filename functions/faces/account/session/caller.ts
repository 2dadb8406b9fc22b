import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { type Authenticator, systemActor } from '../../../kernel/authentication/caller.ts';
import { declareError, Failure } from '../../../kernel/errors.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { startFlow } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { accountSessions } from './session.ts';
import { accountAddress, accountPath, findPlace, findVisit, type Place, type Visit } from './visit.ts';

/** The error for an unknown environment, and for a page that the settings disable. */
export const accountPageNotFound = declareError({
  status: 404,
  code: 'account_page_not_found',
  message: 'There is no such account page. Check the client id in the path, and GET /x/account/settings.',
});

/** The environment of a request to the account page, and its visit if a user is signed in. */
export interface Found {
  place: Place;
  visit: Visit | undefined;
}

/** The result of the authentication of a request, which its handler takes, so that the sessions are read once. */
const foundBy = new WeakMap<IncomingRequest, Found>();

const PATH = /^\/hosted\/account\/([^/]+)/;

async function find(request: IncomingRequest): Promise<Found | undefined> {
  const place = await findPlace(request, PATH.exec(request.path)?.[1] ?? '');
  return place?.options.enabled === true ? { place, visit: await findVisit(place) } : undefined;
}

/**
 * Authenticates a browser by its session, in the environment of the path. The signed-in user is the actor of the events. A
 * browser without a session is a client of the environment, which is sent to the sign-in.
 */
export const accountCaller: Authenticator = {
  security: [],
  authenticate: async (request) => {
    const found = await find(request);
    if (found === undefined) return { environmentId: '', actor: systemActor, proof: '' };
    foundBy.set(request, found);
    const { environmentId } = found.place;
    const user = found.visit?.user;
    const actor =
      user === undefined ? { id: makeClientId(environmentId), name: null } : { id: user.id, name: user.email };
    return { environmentId, actor: { ...actor, source: 'api' }, proof: '' };
  },
};

/**
 * Takes what the authentication found. After a conflict the handler runs again, and reads the sessions again.
 * @throws Failure 404 for an unknown environment, and if the settings disable the page
 */
export async function takeFound(request: IncomingRequest): Promise<Found> {
  const known = foundBy.get(request);
  foundBy.delete(request);
  const found = known ?? (await find(request));
  if (found === undefined) throw new Failure(accountPageNotFound);
  return found;
}

/** Takes what the authentication found, for a page that is shown: it records the use of the session, which extends it. */
export async function takeForDisplay(unit: Pick<Unit, 'stage'>, request: IncomingRequest): Promise<Found> {
  const found = await takeFound(request);
  const session = found.visit?.session;
  if (session !== undefined) await accountSessions.stageUse(unit, found.place.environmentId, session);
  return found;
}

/**
 * Starts a sign-in that ends on a page of the account.
 * @param user the user who has to authenticate again; absent for a browser in which no one is signed in
 * @returns the address of the sign-in page
 */
export function startSignIn(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  page: string | undefined,
  user?: { email: string },
): string {
  const again = user === undefined ? {} : { prompt: 'login', loginHint: user.email };
  const flow = startFlow(unit, environmentId, {
    redirectUri: accountAddress(environmentId),
    provider: 'hosted',
    screenHint: 'sign-in',
    account: { page: accountPath(environmentId, page) },
    ...again,
  });
  return `/hosted/sign-in?${new URLSearchParams({ flow: flow.id }).toString()}`;
}
