import { decideDevice, type DeviceRequest, deviceRequest } from '../../authentication/public.ts';
import { makeClientId } from '../../kernel/authentication/api-key.ts';
import { findEnvironment } from '../../kernel/authentication/environment.ts';
import type { Page } from '../../kernel/http/error-response.ts';
import { formatDateTime } from '../../kernel/locale.ts';
import { findUser, touchUserVersion } from '../../users/public.ts';
import { endingPage } from '../../kernel/pages/ending.ts';
import { PATHS } from '../flow/paths.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { pageIn, redirect, otherUserPage, stageState, type Visit } from '../flow/visit.ts';
import { approvalPage, decidedPage } from './page.ts';

/** The response if the device no longer waits: the page to enter another code. */
const AGAIN = { again: '/device' };

/** The device of a sign-in, while it waits for approval. */
async function findDevice(visit: Visit): Promise<DeviceRequest | undefined> {
  const { environmentId, device } = visit.flow;
  return device && deviceRequest(environmentId, device.userCode);
}

async function renderPage(visit: Visit, device: DeviceRequest, notice: string | undefined): Promise<Page> {
  const { environmentId } = visit.flow;
  const { locale } = visit.surroundings.language;
  return approvalPage(visit.surroundings, {
    ...makeView(visit, PATHS.device, notice),
    code: device.userCode,
    environment: (await findEnvironment(environmentId))?.name ?? '',
    clientId: makeClientId(environmentId),
    ipAddress: device.ipAddress,
    userAgent: device.userAgent,
    askedAt: formatDateTime(locale, device.createdAt),
    change: otherUserPage(visit),
  });
}

/**
 * The page on which a signed-in user approves or denies a device. Every device must be confirmed, whatever the user decided
 * about earlier ones.
 */
export const approvalOperations = step({
  name: 'approval',
  path: PATHS.device,
  summary: 'The page on which the user approves a device',
  canBeWrong: false,
  async show(visit, _unit, notice) {
    if (visit.state.decided !== undefined) return decidedPage(visit.surroundings, visit.state.decided);
    const device = await findDevice(visit);
    if (visit.state.ready === undefined) return redirect(pageIn(visit, PATHS.signIn));
    return device === undefined
      ? endingPage(visit.surroundings, 'error.expired', AGAIN)
      : renderPage(visit, device, notice);
  },
  async take(visit, form, unit) {
    const { ready } = visit.state;
    const { environmentId } = visit.flow;
    if (ready === undefined || visit.state.decided !== undefined) return redirect(pageIn(visit, PATHS.device));
    const [device, user] = await Promise.all([findDevice(visit), findUser(environmentId, ready.userId)]);
    const isSame = user !== undefined && (user.credentialEpoch ?? 0) === ready.epoch;
    if (device === undefined || !isSame)
      return { status: 200, ...endingPage(visit.surroundings, 'error.expired', AGAIN) };
    if (form.do !== 'approve' && form.do !== 'deny') return redirect(pageIn(visit, PATHS.device, { notice: 'stale' }));
    touchUserVersion(unit, user);
    const { organizationId, method, provider } = ready;
    decideDevice(unit, device, { user, organizationId, method, provider }, form.do);
    stageState(unit, visit, { decided: form.do === 'approve' ? 'approved' : 'denied' });
    return redirect(pageIn(visit, PATHS.device));
  },
});
