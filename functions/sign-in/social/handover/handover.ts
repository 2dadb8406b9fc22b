import type { AuthorizationRequest, Step } from '../../modules/sign-in-flows/public.ts';
import type { Method } from '../../../proofs/modules/sign-in-checks/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { browserHash, browserValue, newBrowserValue } from '../../../kernel/http/browser.ts';
import { type Binding, COOKIES, setCookie } from '../../../kernel/http/cookies.ts';
import { derivedOpen, derivedSeal } from '../../../kernel/keys/derived-seal.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Authority, Entry, Verdict } from '../../../tenancy/modules/trust/public.ts';
import type { SocialProof } from '../sign-in/proof.ts';
import { socialHandovers } from './entity.ts';

/** Time in seconds within which the browser must open the hosted pages, to which it is redirected at once. */
const LIFE_SECONDS = COOKIES.social_return.life;

/** A user who has signed in for the approval of a device, or the consent to an application. */
export interface SignedInUser {
  userId: string;
  organizationId?: string | undefined;
  method: Method;
  /** The proofs of the sign-in. */
  proofs: Authority;
  /** The user's `credentialEpoch` at the time of the sign-in. */
  epoch: number;
  /** The time of the authentication, in milliseconds since the epoch; absent in older rows. */
  authenticatedAt?: number | undefined;
}

/**
 * The state for the pages: a proof for one of their own sign-ins, the next step of an application's own sign-in, or a
 * signed-in user whose device or application is still to be approved.
 */
export type Handover =
  | { kind: 'proof'; proof: SocialProof }
  | { kind: 'pending'; code: Step; token: string; members: Readonly<Record<string, unknown>>; email: string }
  | { kind: 'ready'; ready: SignedInUser; email: string };

const bindingOf = ({ record: { id } }: AuthorizationRequest): Binding => ({ purpose: 'social_return', id });

const info = ({ environmentId, record: { id } }: AuthorizationRequest): string =>
  `social-handover ${environmentId} ${id}`;

/** Stores a sign-in that is not complete, for the pages in this browser only. @returns the cookie for the browser */
export const stageHandover = (
  unit: Pick<Unit, 'stage'>,
  flow: AuthorizationRequest,
  handover: Exclude<Handover, { kind: 'ready' }>,
): string => stage(unit, flow, handover);

/** Stores a complete sign-in with its permission to enter, for the pages in this browser only. @returns the cookie for the browser */
export function stageReadyHandover(
  unit: Pick<Unit, 'stage'>,
  flow: AuthorizationRequest,
  { facts: { organizationId }, authority: proofs }: Verdict<Entry>,
  { email, ...signedIn }: Omit<SignedInUser, 'organizationId' | 'proofs'> & { email: string },
): string {
  return stage(unit, flow, { kind: 'ready', ready: { ...signedIn, organizationId, proofs }, email });
}

function stage(unit: Pick<Unit, 'stage'>, flow: AuthorizationRequest, handover: Handover): string {
  const value = newBrowserValue();
  const { write } = socialHandovers.create({
    environmentId: flow.environmentId,
    id: browserHash(value),
    expiresAt: clock.seconds() + LIFE_SECONDS,
    sealed: derivedSeal([value, flow.id], info(flow), JSON.stringify(handover)),
  });
  unit.stage(write);
  return setCookie(bindingOf(flow), value);
}

/** Reads the state for a sign-in in this browser, which is possible only once. Returns undefined if there is none. */
export async function takeHandover(
  unit: Pick<Unit, 'stage'>,
  flow: AuthorizationRequest,
  request: IncomingRequest,
): Promise<Handover | undefined> {
  const value = browserValue(request, bindingOf(flow));
  const record = value === undefined ? undefined : await socialHandovers.get(flow.environmentId, browserHash(value));
  if (value === undefined || record === undefined || (record.expiresAt ?? 0) <= clock.seconds()) return undefined;
  unit.stage(socialHandovers.remove(record));
  const opened = derivedOpen([value, flow.id], info(flow), record.sealed as Uint8Array);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as Handover;
}
