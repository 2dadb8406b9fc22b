import type { IncomingRequest } from '../../../../kernel/http/incoming-request.ts';
import { type HeldSession, type PageSession, pageSessions } from '../../../../kernel/pages/session.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { UserRecord } from '../../users/public.ts';

/** A browser in which a user need not repeat the second factor for some days. */
interface TrustedBrowser extends PageSession {
  /** The user's `credentialEpoch` at that time: a change of the password or address gives the user another one. */
  epoch: number;
  /** A hash of the user's second factors at that time: with other factors the browser is not trusted. */
  factors: string;
}

/** The trust of a user in a browser; `holderId` is the user's id. */
export type Trust = HeldSession<TrustedBrowser>;

/** Maximum number of trusted browsers of a user; a further one replaces the oldest. */
const MOST_BROWSERS = 10;

/**
 * The cookie of a trusted browser is a credential, unlike that of a known device: it is replaced at each use, and the row
 * has its hash. A browser trusts one user of each environment: the one who chose it last.
 */
const browsers = pageSessions<TrustedBrowser>({ kind: 'trusted-browsers', purpose: 'trust', most: MOST_BROWSERS });

type Staging = Pick<Unit, 'stage'>;

/**
 * Finds out whether a user trusts the browser of a request, by one strongly consistent GetItem if it has the cookie. It is
 * undefined after the end of the trust, and after a change of the user's password or address.
 */
export async function findTrust(
  { environmentId, id, credentialEpoch: epoch = 0 }: UserRecord,
  request: IncomingRequest,
): Promise<Trust | undefined> {
  const found = await browsers.find(environmentId, request);
  return found?.holderId === id && found.epoch === epoch ? found : undefined;
}

/**
 * Stores that a user trusts a browser, under a new cookie. The cookie that the browser had is invalid from the commit on.
 * @param user the user as the unit of work writes it
 * @param opening `seconds` is the time from now on, and `factors` a hash of the user's second factors
 * @returns the Set-Cookie header
 */
export const stageTrust = (
  unit: Staging,
  { environmentId, id, credentialEpoch: epoch = 0 }: UserRecord,
  { seconds, factors }: { seconds: number; factors: string },
  request: IncomingRequest,
): Promise<string> =>
  browsers.stageOpening(
    unit,
    { environmentId, holderId: id, owner: ownerKey('user', id), seconds },
    { epoch, factors },
    request,
  );

/** Ends the trust of a user in all browsers, even in those that are added concurrently. */
export const stageEndOfTrust = (unit: Staging, { environmentId, id }: Pick<UserRecord, 'environmentId' | 'id'>): void =>
  browsers.stageEndOfAll(unit, environmentId, id);
