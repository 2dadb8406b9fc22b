import { awaitAll } from '../../../kernel/concurrency.ts';
import {
  type AuthorizationRequest,
  environmentOfFlow,
  findLoginFlow,
} from '../../../sign-in/modules/sign-in-flows/public.ts';
import { type BrowserDevice, browserDevice } from '../../../tenancy/modules/known-devices/public.ts';
import { usesRadarSignals } from '../../../proofs/radar/public.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { browserHash, browserValue, isOwnPage, newBrowserValue } from '../../../kernel/http/browser.ts';
import { type Binding, COOKIES, setCookie } from '../../../kernel/http/cookies.ts';
import { queryObject } from '../../../kernel/http/input.ts';
import { readSource } from '../../../kernel/pages/headers.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import { type FormBinding, computeProof } from '../../../kernel/pages/form.ts';
import { plainSurroundings, type Surroundings, findSurroundings } from '../../../kernel/pages/surroundings.ts';
import { type HostedFlowRecord, hostedFlows } from './entity.ts';
import { PATHS } from './paths.ts';
import { foreignForm } from './errors.ts';
import type { Captcha } from '../../../kernel/pages/captcha.ts';
import { findCaptcha } from '../captcha/find.ts';
import { findTrustDays } from './choices.ts';
import { type FlowState, openState, sealState } from './state.ts';
import { defaultRedirectUri } from '../../../tenancy/modules/client-settings/public.ts';

/**
 * Time in seconds for which a browser is bound to a sign-in: longer than the sign-in itself, so that a page can link back
 * to the application afterwards.
 */
const KEPT_SECONDS = COOKIES.flow.life;

/** A browser in a sign-in (a visit). */
export interface Visit {
  flow: AuthorizationRequest;
  surroundings: Surroundings;
  /** The value of the browser's cookie for this sign-in. */
  value: string;
  /** The browser as a device of the environment. */
  device: BrowserDevice;
  /** The client id for which pages with a proof report signals to Radar; absent if the settings do not use them. */
  signals: string | undefined;
  /** The days for which a browser can be trusted with the second factor; absent if this sign-in always asks for it. */
  trustDays: number | undefined;
  /** The captcha of the pages that mail any address; absent if the environment has none. */
  captcha: Captcha | undefined;
  record: HostedFlowRecord | undefined;
  state: FlowState;
  request: IncomingRequest;
}

/** The response of a page. */
export type PageReply =
  | { status: 200; body: string; headers: Record<string, string>; cookies?: readonly string[] }
  | { status: 302; headers: { location: string }; cookies?: readonly string[] };

/**
 * A redirect to another page.
 * @param location an address below the service's own, or a checked one
 */
export const redirect = (location: string, cookies: readonly string[] = []): PageReply => ({
  status: 302,
  headers: { location },
  cookies,
});

const bindingOf = (hash: string): Binding => ({ purpose: 'flow', id: hash });

/** Decides whether a sign-in can continue, and returns the visit or the response that ends it. */
export async function openVisit(id: string, request: IncomingRequest): Promise<Visit | { reply: PageReply }> {
  const key = environmentOfFlow(id);
  if (key === undefined)
    return { reply: { status: 200, ...endingPage(await plainSurroundings(request), 'error.expired') } };
  const { environmentId, hash } = key;
  const [flow, record] = await awaitAll([findLoginFlow(id), hostedFlows.get(environmentId, hash)]);
  const [surroundings, usesSignals, trustDays, captcha] = await awaitAll([
    findSurroundings(environmentId, request, flow?.uiLocales),
    usesRadarSignals(environmentId),
    flow === undefined ? undefined : findTrustDays(flow),
    findCaptcha(environmentId),
  ]);
  const found = browserValue(request, bindingOf(hash));
  const isOwn =
    record !== undefined && found !== undefined && constantTimeEqual(browserHash(found), record.browserHash);
  const state = isOwn ? openState(record, found) : {};
  // A form of a finished sign-in that is sent again, or an outdated page, gets the same redirect again.
  if (isOwn && state.location !== undefined) return { reply: { status: 302, headers: { location: state.location } } };
  if (flow === undefined || (record !== undefined && !isOwn)) {
    const home = isOwn ? record.home : await findHome(environmentId);
    return { reply: { status: 200, ...endingPage(surroundings, 'error.expired', { home }) } };
  }
  const device = browserDevice(environmentId, request);
  const signals = usesSignals ? makeClientId(environmentId) : undefined;
  const value = found ?? newBrowserValue();
  return { flow, surroundings, value, device, signals, trustDays, captcha, record, state, request };
}

/** The form binding of a visit's pages. */
export const bindingIn = ({ flow, value }: Visit): FormBinding => ({ value, subject: flow.id });

/** The address of a page of the same sign-in, below the service's base URL. */
export const pageIn = (
  { flow }: Pick<Visit, 'flow'>,
  path: string,
  more: Readonly<Record<string, string>> = {},
): string => `${path}?${new URLSearchParams({ flow: flow.id, ...more }).toString()}`;

/** The first page, for another user than the one who is signed in to the pages. */
export const otherUserPage = (visit: Pick<Visit, 'flow'>): string => pageIn(visit, PATHS.signIn, { other: '1' });

/** True if the page asks for another user. */
export const isForOtherUser = ({ request }: Pick<Visit, 'request'>): boolean =>
  queryObject(request.rawQuery).other === '1';

/** True if the browser leaves an optional page without using it. */
export const isSkipped = ({ request }: Pick<Visit, 'request'>): boolean => queryObject(request.rawQuery).skip === '1';

/** Redirect targets of responses to a visit's forms: the application's redirect URI. */
export const listTargets = ({ flow }: Visit): string[] =>
  [readSource(flow.redirectUri)].filter((source) => source !== undefined);

/** The Set-Cookie headers that bind the browser to this sign-in, and identify the device in later ones. */
export const makeCookies = ({ flow, value, device }: Visit): string[] => [
  setCookie(bindingOf(flow.record.id), value),
  ...(device.isNamed ? [] : [device.cookie]),
];

/**
 * Binds a sign-in that starts at the pages themselves to the browser at once.
 * @returns the cookie for the browser
 */
export function stageOwnVisit(unit: Pick<Unit, 'stage'>, flow: AuthorizationRequest): string {
  const value = newBrowserValue();
  stageState(unit, { flow, record: undefined, value }, {});
  return setCookie(bindingOf(flow.record.id), value);
}

/** The alert for a form that was not accepted: it was outdated, or the browser sends no cookies. */
export const staleNotice = ({ request, flow }: Visit): 'stale' | 'cookies' =>
  browserValue(request, bindingOf(flow.record.id)) === undefined ? 'cookies' : 'stale';

/**
 * Reports whether a form was sent by the page in this browser.
 * @returns false for an outdated form: the page is shown again without any effect
 * @throws Failure 403 for a form of another site
 */
export function isOwnForm(visit: Visit, proof: string): boolean {
  if (!isOwnPage(visit.request)) throw new Failure(foreignForm);
  return constantTimeEqual(proof, computeProof(bindingIn(visit)));
}

/** Stores the state of the sign-in. The first form also binds the sign-in to its browser. */
export function stageState(
  unit: Pick<Unit, 'stage'>,
  visit: Pick<Visit, 'flow' | 'record' | 'value'>,
  state: FlowState,
): void {
  const { flow, record, value } = visit;
  const own = { environmentId: flow.environmentId, id: flow.record.id };
  const sealed = sealState(own, value, state);
  const expiresAt = clock.seconds() + KEPT_SECONDS;
  if (record !== undefined) return unit.stage(hostedFlows.revise(record, { sealed, expiresAt }).write);
  const home = /^https?:/.test(flow.redirectUri) ? new URL(flow.redirectUri).origin : undefined;
  unit.stage(hostedFlows.create({ ...own, browserHash: browserHash(value), sealed, home, expiresAt }).write);
}

/** The address of an environment's application, derived from its default redirect URI. */
export async function findHome(environmentId: string): Promise<string | undefined> {
  const uri = await defaultRedirectUri(environmentId);
  return uri !== undefined && /^https?:/.test(uri) ? new URL(uri).origin : undefined;
}
