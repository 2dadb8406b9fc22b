import {
  type AuthorizationRequest,
  type BrowserDevice,
  browserDevice,
  environmentOfFlow,
  findLoginFlow,
} from '../../authentication/public.ts';
import { clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';
import { browserHash, browserValue, isOwnPage, newBrowserValue } from '../../kernel/http/browser.ts';
import { type Binding, COOKIES, setCookie } from '../../kernel/http/cookies.ts';
import { queryObject } from '../../kernel/http/input.ts';
import { sourceOf } from '../../kernel/http/page-headers.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { endingPage } from '../ending/page.ts';
import { type FormBinding, proofOf } from '../page/form.ts';
import { plainSurroundings, type Surroundings, surroundingsOf } from '../page/surroundings.ts';
import { type HostedFlowRecord, hostedFlows } from './entity.ts';
import { PATHS } from './paths.ts';
import { foreignForm } from './refusals.ts';
import { type FlowState, openState, sealState } from './state.ts';
import { defaultRedirectUri } from '../../client-settings/public.ts';

/** Seconds for which a browser is known to a sign-in: longer than the sign-in itself, to show the way back afterwards. */
const KEPT_SECONDS = COOKIES.flow.life;

/** A person's browser on its way through a sign-in. */
export interface Visit {
  flow: AuthorizationRequest;
  surroundings: Surroundings;
  /** The browser's secret for this sign-in. */
  value: string;
  /** The browser as a device of the environment. */
  device: BrowserDevice;
  record: HostedFlowRecord | undefined;
  state: FlowState;
  request: IncomingRequest;
}

/** What a page answers with. */
export type PageReply =
  | { status: 200; body: string; headers: Record<string, string>; cookies?: readonly string[] }
  | { status: 302; headers: { location: string }; cookies?: readonly string[] };

/** An answer that leads to another page. @param location Below the service's own address, or a checked one. */
export const redirect = (location: string, cookies: readonly string[] = []): PageReply => ({
  status: 302,
  headers: { location },
  cookies,
});

const bindingOf = (hash: string): Binding => ({ purpose: 'flow', id: hash });

/** Whether a sign-in can go on: a visit, or the answer that ends it. */
export async function visitOf(id: string, request: IncomingRequest): Promise<Visit | { reply: PageReply }> {
  const key = environmentOfFlow(id);
  if (key === undefined) return { reply: { status: 200, ...endingPage(plainSurroundings(request), 'error.expired') } };
  const { environmentId, hash } = key;
  const [flow, record] = await Promise.all([findLoginFlow(id), hostedFlows.get(environmentId, hash)]);
  const surroundings = await surroundingsOf(environmentId, request, flow?.uiLocales);
  const found = browserValue(request, bindingOf(hash));
  const isOwn =
    record !== undefined && found !== undefined && constantTimeEqual(browserHash(found), record.browserHash);
  const state = isOwn ? openState(record, found) : {};
  // A second click on the button that ended it, or a page that was shown before: the way that was taken is taken again.
  if (isOwn && state.location !== undefined) return { reply: { status: 302, headers: { location: state.location } } };
  if (flow === undefined || (record !== undefined && !isOwn)) {
    const home = isOwn ? record.home : await homeOf(environmentId);
    return { reply: { status: 200, ...endingPage(surroundings, 'error.expired', { home }) } };
  }
  const device = browserDevice(environmentId, request);
  return { flow, surroundings, value: found ?? newBrowserValue(), device, record, state, request };
}

/** The form binding of a visit's pages. */
export const bindingIn = ({ flow, value }: Visit): FormBinding => ({ value, subject: flow.id });

/** The address of a page of the same sign-in, below the service's base URL. */
export const pageIn = (
  { flow }: Pick<Visit, 'flow'>,
  path: string,
  more: Readonly<Record<string, string>> = {},
): string => `${path}?${new URLSearchParams({ flow: flow.id, ...more }).toString()}`;

/** The first page for somebody else than who is signed in to the pages. */
export const somebodyElseIn = (visit: Pick<Visit, 'flow'>): string => pageIn(visit, PATHS.signIn, { other: '1' });

/** Whether it is asked for. */
export const isForSomebodyElse = ({ request }: Pick<Visit, 'request'>): boolean =>
  queryObject(request.rawQuery).other === '1';

/** Where answers to a visit's forms may lead: the application's redirect URI. */
export const targetsOf = ({ flow }: Visit): string[] =>
  [sourceOf(flow.redirectUri)].filter((source) => source !== undefined);

/** The Set-Cookie headers by which the browser is known to this sign-in, and the next time as the same device. */
export const cookiesOf = ({ flow, value, device }: Visit): string[] => [
  setCookie(bindingOf(flow.record.id), value),
  ...(device.isNamed ? [] : [device.cookie]),
];

/** Ties a sign-in that the pages themselves begin to the browser at once. @returns the cookie that the browser takes along */
export function stageOwnVisit(unit: Pick<Unit, 'stage'>, flow: AuthorizationRequest): string {
  const value = newBrowserValue();
  stageState(unit, { flow, record: undefined, value }, {});
  return setCookie(bindingOf(flow.record.id), value);
}

/** What is said of a form that was not taken: it was out of date, or the browser sends no cookies. */
export const staleNotice = ({ request, flow }: Visit): 'stale' | 'cookies' =>
  browserValue(request, bindingOf(flow.record.id)) === undefined ? 'cookies' : 'stale';

/**
 * Whether a form was sent by the page that this browser was shown.
 * @returns false for one that is out of date: the page is shown again, and nothing is done.
 * @throws Failure 403 for one of another site.
 */
export function isOwnForm(visit: Visit, proof: string): boolean {
  if (!isOwnPage(visit.request)) throw new Failure(foreignForm);
  return constantTimeEqual(proof, proofOf(bindingIn(visit)));
}

/** Notes how far the sign-in has come, and with the first form the browser that it belongs to from then on. */
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

/** Where an environment's application is, as far as its default redirect URI tells. */
export async function homeOf(environmentId: string): Promise<string | undefined> {
  const uri = await defaultRedirectUri(environmentId);
  return uri !== undefined && /^https?:/.test(uri) ? new URL(uri).origin : undefined;
}
