import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { stagePortalSession } from '../../../functions/tenancy/modules/portal-access/public.ts';
import { stageSession } from '../../../functions/tenancy/sessions/public.ts';
import { admitMinting, type Authority, organizationWord } from '../../../functions/tenancy/modules/trust/public.ts';
import { findUser, touchUserVersion } from '../../../functions/tenancy/modules/users/public.ts';
import { admit } from '../../support/admission.ts';
import { browser } from '../../support/browser.ts';
import { portalAddress } from '../../support/portal.ts';
import { service } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import type { Step } from './history-steps.ts';

/** Steps of random histories that write rows which no door makes, as a row from before the proofs were stored, or a fault, would. */

/** A session by a method that is not known. */
export const plantSession: Step = async ({ by, world, state, sessions }) => {
  const environmentId = await environment();
  const userId = by.pick(world.people);
  const active = [...state.members].filter(([key, { status }]) => key.endsWith(userId) && status === 'active');
  const organizationId = active.length === 0 ? undefined : by.pick(active)[0].split('|')[0];
  await applyWork(environmentId, systemActor, async (unit) => {
    const user = await findUser(environmentId, userId);
    if (user === undefined) return;
    touchUserVersion(unit, user);
    const verdict = { ...admit(organizationId), authority: [] };
    const client = { ipAddress: null, userAgent: null, client: 'confidential' } as const;
    const opened = await stageSession(unit, verdict, { environmentId, userId, authMethod: 'unknown', ...client });
    const { session, refreshToken } = opened;
    const entered = { userId, organizationId };
    sessions.push({ refreshToken, sessionId: session.id, words: { organizations: [] }, entered });
  });
  return { what: `a session of ${userId} is by an unknown method` };
};

const REQUEST = { id: 'planted', method: 'POST', path: '/', rawQuery: '', headers: {}, cookies: [], rawBody: '' };

/** A session of an organization's portal by nothing that is known, or by the word of another organization. */
export const plantPortal: Step = async ({ by, world }) => {
  const environmentId = await environment();
  const [host, other] = [by.pick(world.organizations), by.pick(world.organizations)];
  const at = clock.now();
  const byOther: Authority = [{ method: 'portal', word: organizationWord(other.id), at }];
  const proofs = by.isOneIn(2) ? [] : byOther;
  const admitted = admitMinting([{ method: 'portal', word: organizationWord(host.id), at }], host.id);
  const opening = { intents: ['sso' as const], actorId: 'planted', actorName: null };
  let cookie = '';
  await applyWork(environmentId, systemActor, async (unit) => {
    const request = { ...REQUEST, sourceIp: '192.0.2.1', userAgent: null };
    cookie = await stagePortalSession(unit, { ...admitted, authority: proofs }, environmentId, opening, request);
  });
  const person = browser();
  const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split('=');
  person.cookies(new URL((await service()).url).host).set(name, value);
  const { status } = await person.open(await portalAddress('sso'));
  const isOwn = proofs.length > 0 && other === host;
  return {
    what: `the portal of ${host.name} is opened by ${proofs.length === 0 ? 'nothing' : other.name}: ${status}`,
    found: status < 300 && !isOwn ? [`the portal of ${host.name} is open to another`] : [],
  };
};
