import {
  approveDevice,
  denyDevice,
  type DeviceRequest,
  deviceRequest,
  readDeviceApplication,
} from '../../../sign-in/authentication/public.ts';
import { findAuthorization, type PendingAuthorization, stageConsent } from '../../../oauth/connect/public.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { formatDateTime } from '../../../kernel/locale.ts';
import { formatAge, nameCountry } from '../../../kernel/relative-time.ts';
import { nameUserAgent } from '../../../kernel/user-agent-name.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { findUser, touchUserVersion, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import { askReady } from '../flow/advance.ts';
import { PATHS } from '../flow/paths.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { pageIn, redirect, otherUserPage, stageState, type Visit } from '../flow/visit.ts';
import { approvalPage, decidedPage } from './page.ts';

/** The response if the device no longer waits: a link to the page to enter another code. */
const renderExpired = ({ flow, surroundings }: Visit): Page =>
  endingPage(surroundings, 'error.expired', { again: `/device?client_id=${makeClientId(flow.environmentId)}` });

/** The device of a sign-in, while it waits for approval. */
async function findDevice(visit: Visit): Promise<DeviceRequest | undefined> {
  const { environmentId, device } = visit.flow;
  return device && deviceRequest(environmentId, device.userCode);
}

/** Finds the request of a device’s application; undefined for a device of the environment itself, null if it may no longer ask. */
async function findPending(
  { flow: { environmentId } }: Visit,
  device: DeviceRequest,
  user: UserRecord | undefined,
  organizationId: string | undefined,
): Promise<PendingAuthorization | null | undefined> {
  const asked = readDeviceApplication(device);
  if (asked === undefined || user === undefined) return undefined;
  const application = { ...asked, isUriNamed: false };
  return (await findAuthorization(environmentId, { user, organizationId, application, prompts: ['consent'] })) ?? null;
}

async function renderPage(
  visit: Visit,
  device: DeviceRequest,
  pending: PendingAuthorization | undefined,
  notice: string | undefined,
): Promise<Page> {
  const { environmentId } = visit.flow;
  const { organizationId } = pending ?? {};
  const organization = organizationId === undefined ? undefined : await findOrganization(environmentId, organizationId);
  const { locale } = visit.surroundings.language;
  return approvalPage(visit.surroundings, {
    ...makeView(visit, PATHS.device, notice),
    code: device.userCode,
    pending,
    organization: organization?.name,
    environment: (await findEnvironment(environmentId))?.name ?? '',
    application: visit.surroundings.brand ?? '',
    ipAddress: device.ipAddress,
    country: device.country === undefined ? undefined : nameCountry(locale, device.country),
    userAgent: nameUserAgent(device.userAgent) ?? device.userAgent,
    age: formatAge(locale, device.createdAt),
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
    const { ready } = visit.state;
    if (ready === undefined) return redirect(pageIn(visit, PATHS.signIn));
    const user = await findUser(visit.flow.environmentId, ready.userId);
    const pending = device && (await findPending(visit, device, user, ready.organizationId));
    return device === undefined || pending === null ? renderExpired(visit) : renderPage(visit, device, pending, notice);
  },
  async take(visit, form, unit) {
    const { ready } = visit.state;
    const { environmentId } = visit.flow;
    if (ready === undefined || visit.state.decided !== undefined) return redirect(pageIn(visit, PATHS.device));
    const [device, user] = await awaitAll([findDevice(visit), findUser(environmentId, ready.userId)]);
    const isSame = user !== undefined && (user.credentialEpoch ?? 0) === ready.epoch;
    const pending = device && (await findPending(visit, device, user, ready.organizationId));
    if (device === undefined || !isSame || pending === null) return { status: 200, ...renderExpired(visit) };
    if (form.do !== 'approve' && form.do !== 'deny') return redirect(pageIn(visit, PATHS.device, { notice: 'stale' }));
    const touchedUser = touchUserVersion(unit, user);
    if (form.do === 'deny') {
      denyDevice(unit, device);
      stageState(unit, visit, { decided: 'denied' });
      return redirect(pageIn(visit, PATHS.device));
    }
    const entry = await askReady(user, ready);
    if (entry === undefined) return redirect(otherUserPage(visit));
    // A sign-in without a time was completed in this flow.
    const { authenticatedAt = Date.parse(visit.flow.record.createdAt), method, provider } = ready;
    const consent = pending && (await stageConsent(unit, entry, pending, touchedUser));
    approveDevice(unit, device, entry, { user, method, provider, authenticatedAt, consentId: consent?.id });
    stageState(unit, visit, { decided: 'approved' });
    return redirect(pageIn(visit, PATHS.device));
  },
});
