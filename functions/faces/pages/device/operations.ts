import * as z from 'zod';

import { type AuthorizationRequest, startFlow } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { findDeviceRequest } from '../../../sign-in/authentication/public.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { environmentOfClient } from '../../../kernel/authentication/client.ts';
import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { Failure, general } from '../../../kernel/errors.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { pageErrorForm } from '../flow/errors.ts';
import { countAddress } from '../../../kernel/limits/count-attempt.ts';
import { PATHS } from '../flow/paths.ts';
import { formErrors, RejectedForm } from '../flow/errors.ts';
import { againAt, isOwnStandalone, StandaloneNotice, openStandalone } from '../flow/standalone.ts';
import { tooManyText } from '../flow/view.ts';
import { pageIn, redirect, stageOwnVisit } from '../flow/visit.ts';
import { findSurroundings, plainSurroundings, type Surroundings } from '../../../kernel/pages/surroundings.ts';
import { type DevicePage, devicePage } from './page.ts';

const PATH = '/device';

const common = {
  path: PATH,
  auth: anyCaller,
  beyondContract: true,
  query: z.object({
    client_id: z.string().max(255).optional(),
    user_code: z.string().max(64).optional(),
    notice: StandaloneNotice,
  }),
  emits: [],
  idempotency: 'none',
  errorForm: pageErrorForm,
} as const;

/** The environment of the client in the address of the page; undefined for an address without one. */
const findNamed = (clientId: string | undefined): string | undefined =>
  clientId === undefined ? undefined : environmentOfClient(clientId);

function makePath(clientId: string | undefined): string {
  const environmentId = findNamed(clientId);
  return environmentId === undefined ? PATH : `${PATH}?client_id=${makeClientId(environmentId)}`;
}

/** The brand and language of the page: of the environment whose client the address names, otherwise of none. */
function findClientSurroundings(request: IncomingRequest, clientId: string | undefined): Promise<Surroundings> {
  const environmentId = findNamed(clientId);
  return environmentId === undefined ? plainSurroundings(request) : findSurroundings(environmentId, request);
}

async function renderPage(
  request: IncomingRequest,
  clientId: string | undefined,
  overrides: Partial<DevicePage>,
): Promise<Page & { cookies: string[] }> {
  const { binding, cookies } = openStandalone(request, PATH);
  const view = { binding, action: makePath(clientId), targets: [], ...overrides };
  return { ...devicePage(await findClientSurroundings(request, clientId), view), cookies };
}

/**
 * The page whose address a device shows. A code in the address is filled in but not submitted: a user who follows a link
 * from another person must compare it with the device in front of them (RFC 8628 section 5.4).
 */
const showDevice = operation({
  ...common,
  id: 'pages.show_device',
  method: 'GET',
  summary: 'The page on which the user enters a device’s code',
  responses: { 200: PageBody },
  errors: [],
  async handle({ query, request }) {
    const { translate } = (await findClientSurroundings(request, query.client_id)).language;
    const notice = query.notice && translate(`page.${query.notice}`);
    return { status: 200, ...(await renderPage(request, query.client_id, { code: query.user_code, notice })) };
  },
});

/** Begins a sign-in in the environment of the device. A correct code is counted like a wrong one. */
const takeDevice = operation({
  ...common,
  id: 'pages.take_device',
  method: 'POST',
  summary: 'Submit the code of a device',
  body: z.object({ proof: z.string().max(200).optional(), user_code: z.string().max(200).optional() }),
  form: true,
  responses: { 200: PageBody, 302: null },
  errors: formErrors,
  async handle({ query: { client_id: clientId }, body, request, unit }) {
    const { language } = await findClientSurroundings(request, clientId);
    const { user_code: code = '' } = body;
    if (!isOwnStandalone(request, PATH, body.proof ?? '')) return redirect(againAt(makePath(clientId), request, PATH));
    try {
      await countAddress(unit, '', 'device-code.address', request.sourceIp);
    } catch (error) {
      if (!(error instanceof Failure) || error.declared !== general.tooManyRequests) throw error;
      throw new RejectedForm(
        await renderPage(request, clientId, { code, alert: tooManyText(language, error.details.retryAfter ?? 60) }),
      );
    }
    const device = await findDeviceRequest(code);
    if (device === undefined)
      throw new RejectedForm(
        await renderPage(request, clientId, { code, wrong: language.translate('device.unknown') }),
      );
    const { flow, cookie } = await begin(device.environmentId, device.userCode);
    return redirect(pageIn({ flow }, PATHS.signIn), [cookie]);
  },
});

/**
 * Begins a sign-in in the device's environment, since the request itself belongs to none. It is bound to the browser that
 * sent the code. Otherwise a victim who got its address from an attacker would reach the approval without typing a code
 * (RFC 8628 section 5.4).
 */
async function begin(environmentId: string, userCode: string): Promise<{ flow: AuthorizationRequest; cookie: string }> {
  const actor = { id: makeClientId(environmentId), source: 'api' as const, name: null };
  const redirectUri = `${settings().GATEHOUSE_BASE_URL}${PATHS.device}`;
  const asked = { redirectUri, provider: 'hosted', screenHint: 'sign-in' as const, device: { userCode } };
  return applyWork(environmentId, actor, async (unit) => {
    const flow = startFlow(unit, environmentId, asked);
    return { flow, cookie: stageOwnVisit(unit, flow) };
  });
}

export const deviceOperations = [showDevice, takeDevice] as const;
