import { clock } from '../clock.ts';
import { browserHash, browserValue } from '../http/browser.ts';
import { type Binding, type CookiePurpose, removeCookie, setCookie } from '../http/cookies.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import { readUlid } from '../id-format.ts';
import { constantTimeEqual, randomSecret } from '../keys/hash.ts';
import type { Unit } from '../storage/unit.ts';
import { type HeldSession, type PageSession, pageSessionRows } from './session-rows.ts';

export type { HeldSession, PageSession } from './session-rows.ts';

/** The sessions of one kind of page. */
export interface PageSessionKind {
  /** The entity's name, which is a part of the keys and never changes. */
  kind: string;
  purpose: CookiePurpose;
  /** Maximum number of browsers of a holder; a further one replaces the oldest. */
  most: number;
  /** Time in seconds of inactivity after which a session ends; absent for none. */
  idleSeconds?: number;
}

type Staging = Pick<Unit, 'stage'>;

/**
 * Sessions of browsers on pages. Each environment has its own cookie (`__Host-` over https), whose value names the holder
 * and has 256 random bits; the table has its hash. All sessions of a holder are in one row, so that one write ends all of
 * them, and they are erased with the row's owner.
 */
export function pageSessions<S extends PageSession>({ kind, purpose, most, idleSeconds }: PageSessionKind) {
  const { rows, openOf, isLive, findLive } = pageSessionRows<S>(kind);
  /** The holders whose sessions a unit of work ends, although the table still has their row. */
  const endedIn = new WeakMap<object, Set<string>>();

  const makeBinding = (environmentId: string): Binding => ({ purpose, id: readUlid(environmentId) });
  const idleEnd = () => (idleSeconds === undefined ? {} : { idleEndsAt: clock.now() + idleSeconds * 1_000 });

  async function rewrite(unit: Staging, environmentId: string, holderId: string, change: (open: S[]) => S[]) {
    const row = await rows.get(environmentId, holderId);
    if (row !== undefined) unit.stage(rows.revise(row, { open: change(openOf(row)) }).write);
  }

  return {
    /**
     * Finds the session of a browser that has not ended, by one strongly consistent GetItem if the browser has the cookie.
     */
    async find(environmentId: string, request: IncomingRequest): Promise<HeldSession<S> | undefined> {
      const value = browserValue(request, makeBinding(environmentId));
      if (value === undefined) return undefined;
      const holderId = value.slice(0, value.indexOf('.'));
      const hash = browserHash(value);
      const own = openOf(await rows.get(environmentId, holderId)).find((one) => constantTimeEqual(one.hash, hash));
      return own !== undefined && isLive(own) ? { ...own, holderId } : undefined;
    },

    findLive,

    /**
     * Opens a session with a new cookie in every case, so that a cookie that an attacker has set is useless (session
     * fixation). It also ends the browser's former session of the same holder.
     * @param opening `seconds` is the lifetime; 0 opens no session and ends the one that the browser had. With `untilClosed`
     *   the browser removes the cookie when it is closed.
     * @returns the Set-Cookie header
     */
    async stageOpening(
      unit: Staging,
      opening: {
        environmentId: string;
        holderId: string;
        owner: string;
        seconds: number;
        untilClosed?: boolean | undefined;
      },
      session: Omit<S, keyof PageSession>,
      request: IncomingRequest,
    ): Promise<string> {
      const { environmentId, holderId, owner, seconds } = opening;
      const binding = makeBinding(environmentId);
      const former = browserValue(request, binding);
      const isEnded = endedIn.get(unit)?.has(holderId) === true;
      const row = isEnded ? undefined : await rows.get(environmentId, holderId);
      const kept = openOf(row).filter(
        (one) => isLive(one) && (former === undefined || one.hash !== browserHash(former)),
      );
      const value = `${holderId}.${randomSecret(32, 'base64url')}`;
      const times = { endsAt: clock.now() + seconds * 1_000, ...idleEnd() };
      const own = { ...session, hash: browserHash(value), ...times } as S;
      const open = [...kept, ...(seconds > 0 ? [own] : [])].slice(-most);
      if (row !== undefined) unit.stage(rows.revise(row, { open }).write);
      else if (open.length > 0) unit.stage(rows.create({ environmentId, id: holderId, owner, open }).write);
      return setCookie(binding, value, { maxAgeSeconds: seconds, untilClosed: opening.untilClosed });
    },

    /**
     * Stores the use of a session, which extends it by its idle time. It takes one read and one write, at most once in a
     * tenth of the idle time.
     */
    async stageUse(
      unit: Staging,
      environmentId: string,
      { holderId, hash, idleEndsAt }: HeldSession<S>,
    ): Promise<void> {
      if (idleSeconds === undefined || idleEndsAt === undefined) return;
      if (idleEndsAt - clock.now() > idleSeconds * 900) return;
      await rewrite(unit, environmentId, holderId, (open) =>
        open.map((one) => (one.hash === hash ? { ...one, ...idleEnd() } : one)),
      );
    },

    /** Ends the session of one browser. @returns the Set-Cookie header that removes its cookie */
    async stageEnd(unit: Staging, environmentId: string, { holderId, hash }: HeldSession<S>): Promise<string> {
      await rewrite(unit, environmentId, holderId, (open) => open.filter((one) => one.hash !== hash));
      return removeCookie(makeBinding(environmentId));
    },

    /** Ends the sessions of a holder in every browser, regardless of concurrent openings. */
    stageEndOfAll(unit: Staging, environmentId: string, holderId: string): void {
      unit.stage(rows.removeByKey({ environmentId, id: holderId }));
      endedIn.set(unit, (endedIn.get(unit) ?? new Set()).add(holderId));
    },
  };
}
