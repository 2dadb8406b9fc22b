import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { ulidOf } from '../../kernel/id-format.ts';
import { derivedOpen, derivedSeal } from '../../kernel/keys/derived-seal.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { type LoginFlowRecord, loginFlows } from './entity.ts';

const PREFIX = 'login_flow_';

/** Seconds within which a sign-in is finished. */
const LIFE_SECONDS = 3_600;

/** What an application asked for at GET /user_management/authorize, checked. */
export interface AuthorizationParameters {
  /** Registered in the environment. */
  redirectUri: string;
  state?: string | undefined;
  /** Told with the answer as `iss`, so that a client of several servers knows whose it is (RFC 9207). */
  issuer?: string | undefined;
  /** S256 (RFC 7636 section 4.2). */
  codeChallenge?: string | undefined;
  /** `hosted`, or a provider of the contract. */
  provider: string;
  providerScopes?: readonly string[] | undefined;
  providerQueryParams?: Readonly<Record<string, string>> | undefined;
  organizationId?: string | undefined;
  domainHint?: string | undefined;
  loginHint?: string | undefined;
  screenHint: 'sign-in' | 'sign-up';
  invitationToken?: string | undefined;
  /** Languages of the pages, the best first, apart by spaces (OpenID Connect Core section 3.1.2.1). */
  uiLocales?: string | undefined;
  prompt?: string | undefined;
  /** Seconds since the last proof of who it is; 0 asks again in any case. */
  maxAge?: number | undefined;
  /** Where a device is approved in the end, instead of going back to an application. */
  device?: { userCode: string } | undefined;
}

/** A sign-in on its way through a browser: what was asked for, and the token that finds it again. */
export interface AuthorizationRequest extends AuthorizationParameters {
  environmentId: string;
  /** Travels in the addresses of the pages; stored as a hash. It says whose sign-in it is, and proves nothing. */
  id: string;
  record: LoginFlowRecord;
}

const sealInfo = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `login-flow ${environmentId} ${id}`;

/** Begins a sign-in, which lasts an hour at most. */
export function startFlow(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  parameters: AuthorizationParameters,
): AuthorizationRequest {
  const { value, hash } = mintKey(PREFIX, ulidOf(environmentId));
  const own = { environmentId, id: hash };
  const { record, write } = loginFlows.create({
    ...own,
    expiresAt: clock.seconds() + LIFE_SECONDS,
    sealed: derivedSeal([value], sealInfo(own), JSON.stringify(parameters)),
  });
  unit.stage(write);
  return { ...parameters, environmentId, id: value, record };
}

/** A sign-in that has not ended: one GetItem; undefined for one that is unknown, finished, too old or of another environment. */
export async function loginFlow(environmentId: string, id: string): Promise<AuthorizationRequest | undefined> {
  const flow = await findLoginFlow(id);
  return flow?.environmentId === environmentId ? flow : undefined;
}

/** The environment of a sign-in's token and the hash that it is stored by, without reading anything; undefined for none. */
export function environmentOfFlow(id: string): { environmentId: string; hash: string } | undefined {
  const key = readKey(PREFIX, id);
  return key && { environmentId: environmentIdOf(key.ulid), hash: key.hash };
}

/** As {@link loginFlow}, for a page that learns the environment from the sign-in. */
export async function findLoginFlow(id: string): Promise<AuthorizationRequest | undefined> {
  const key = environmentOfFlow(id);
  if (key === undefined) return undefined;
  const record = await loginFlows.get(key.environmentId, key.hash);
  if (record === undefined || (record.expiresAt ?? 0) <= clock.seconds()) return undefined;
  const opened = derivedOpen([id], sealInfo(record), record.sealed as Uint8Array);
  const parameters = JSON.parse(Buffer.from(opened).toString('utf8')) as AuthorizationParameters;
  return { ...parameters, environmentId: record.environmentId, id, record };
}

/** Ends a sign-in: who comes second meets a conflict, and then finds it ended. */
export function stageEndOfFlow(unit: Pick<Unit, 'stage'>, flow: AuthorizationRequest): void {
  unit.stage(loginFlows.remove(flow.record));
}

/** Where the browser goes back to with its code (RFC 6749 section 4.1.2). */
export const finishFlow = (flow: AuthorizationParameters, code: string): string => redirectTo(flow, { code });

/** Where the browser goes back to when there is no code (RFC 6749 section 4.1.2.1). @param error A code of that section. */
export const failFlow = (flow: AuthorizationParameters, error: string, description: string): string =>
  redirectTo(flow, { error, error_description: description });

/** The redirect URI keeps the query that it was registered with; what is answered wins over it. */
export function redirectTo(
  { redirectUri, state, issuer }: Pick<AuthorizationParameters, 'redirectUri' | 'state' | 'issuer'>,
  members: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  if (issuer !== undefined) url.searchParams.set('iss', issuer);
  return url.href;
}
