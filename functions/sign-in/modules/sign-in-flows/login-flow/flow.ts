import { environmentIdOf, makeClientId } from '../../../../kernel/authentication/api-key.ts';
import { findOpenEnvironment } from '../../../../kernel/authentication/environment.ts';
import { mintKey, readKey } from '../../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import type { EventOrigin } from '../../../../kernel/events/catalogue/context.ts';
import { readUlid } from '../../../../kernel/id-format.ts';
import { redirectTo } from '../../../../kernel/http/callback.ts';
import { derivedOpen, derivedSeal } from '../../../../kernel/keys/derived-seal.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { IdentityName } from '../../../../proofs/modules/credentials/public.ts';
import type { Authority } from '../../../../tenancy/modules/trust/public.ts';
import { type LoginFlowRecord, loginFlows } from './entity.ts';

const PREFIX = 'login_flow_';

/** Time in seconds within which a sign-in must be completed. */
const LIFE_SECONDS = 3_600;

/** A checked request of an application to GET /user_management/authorize. */
export interface AuthorizationParameters {
  /** The redirect URI, which is registered in the environment. */
  redirectUri: string;
  state?: string | undefined;
  /** The issuer, which the response has as `iss`, so that a client of several servers can identify it (RFC 9207). */
  issuer?: string | undefined;
  /** The challenge, by the method S256 (RFC 7636 section 4.2). */
  codeChallenge?: string | undefined;
  /** The value `hosted`, `sso` for a connection, or a provider of the contract. */
  provider: string;
  /** The connection that the application names. */
  connectionId?: string | undefined;
  /** True if the flow ends with a profile for POST /sso/token and does not sign in a user of this service. */
  isForProfile?: boolean | undefined;
  providerScopes?: readonly string[] | undefined;
  providerQueryParams?: Readonly<Record<string, string>> | undefined;
  organizationId?: string | undefined;
  domainHint?: string | undefined;
  loginHint?: string | undefined;
  screenHint: 'sign-in' | 'sign-up';
  invitationToken?: string | undefined;
  /** The token of a sign-in by a grant that continues with the offer of a passkey. */
  pendingToken?: string | undefined;
  /** Languages of the pages in order of preference, separated by spaces (OpenID Connect Core section 3.1.2.1). */
  uiLocales?: string | undefined;
  prompt?: string | undefined;
  /** Maximum age in seconds of the authentication; 0 always requires a new one. */
  maxAge?: number | undefined;
  /** The ids of the application's analytics, which the events of the sign-in have in their context. */
  analytics?: Omit<EventOrigin, 'client_id'> | undefined;
  /** Set if the sign-in ends with the approval of a device, instead of a redirect to an application. */
  device?: { userCode: string } | undefined;
  /** Set if the sign-in ends on the account page: the path and query of the page. */
  account?: { page: string } | undefined;
  /** Set if the sign-in ends with the claim of an agent: its registration, and the hash of the token in its link. */
  agentClaim?: { registrationId: string; tokenHash: string } | undefined;
  /** Set once an identity provider has spoken for an account that has to be signed in to before the two are linked. */
  link?: PendingLink | undefined;
  /** Set if the sign-in is for an application of Connect: it ends with the user's consent and a code of that area. */
  application?: ApplicationRequest | undefined;
}

/** An account at a connection that is linked to a user as soon as that user has signed in, in the same sign-in. */
export interface PendingLink {
  userId: string;
  identity: IdentityName;
  /** The organization of the connection, for which the session is. */
  organizationId: string;
  /** The proofs of the identity provider. */
  proofs: Authority;
  /** True if the connection requires a second factor of this service. */
  needsFactor: boolean;
}

/** The checked request of an application of Connect in a sign-in. */
export interface ApplicationRequest {
  /** `conn_app_…`. */
  id: string;
  /** The requested scopes that the application may have. */
  scopes: readonly string[];
  /** The resource that the request names, which is registered (RFC 8707). */
  resource?: string | undefined;
  /** The value that the ID token contains (OpenID Connect Core section 3.1.2.1). */
  nonce?: string | undefined;
  /** False if the request named no redirect URI, since the application has only one: then the exchange names none either. */
  isUriNamed: boolean;
}

/**
 * The context of the events of a sign-in: the client id of the environment or, for an application of Connect, its own, and the
 * ids of its analytics.
 */
export const findEventOrigin = ({
  environmentId,
  application,
  analytics,
}: Pick<AuthorizationRequest, 'environmentId' | 'application' | 'analytics'>): EventOrigin => ({
  ...analytics,
  client_id: application?.id ?? makeClientId(environmentId),
});

/** A sign-in in progress in a browser: its request, and the token that finds it. */
export interface AuthorizationRequest extends AuthorizationParameters {
  environmentId: string;
  /** The token in the URLs of the pages, which is stored as a hash. It identifies the sign-in, and is not a credential. */
  id: string;
  record: LoginFlowRecord;
}

const sealInfo = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `login-flow ${environmentId} ${id}`;

/** Starts a sign-in, which expires after an hour. */
export function startFlow(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  parameters: AuthorizationParameters,
): AuthorizationRequest {
  const { value, hash } = mintKey(PREFIX, readUlid(environmentId));
  const own = { environmentId, id: hash };
  const { record, write } = loginFlows.create({
    ...own,
    expiresAt: clock.seconds() + LIFE_SECONDS,
    sealed: derivedSeal([value], sealInfo(own), JSON.stringify(parameters)),
  });
  unit.stage(write);
  return { ...parameters, environmentId, id: value, record };
}

/**
 * Reads a sign-in that is in progress by one GetItem. Returns undefined if it is unknown, completed, expired or of another
 * environment, or if the environment is suspended.
 */
export async function loginFlow(environmentId: string, id: string): Promise<AuthorizationRequest | undefined> {
  const flow = await findLoginFlow(id);
  return flow?.environmentId === environmentId ? flow : undefined;
}

/** The environment and the stored hash of a sign-in's token, found without a read; undefined for an invalid token. */
export function environmentOfFlow(id: string): { environmentId: string; hash: string } | undefined {
  const key = readKey(PREFIX, id);
  return key && { environmentId: environmentIdOf(key.ulid), hash: key.hash };
}

/** Reads a sign-in like {@link loginFlow}, for a page that learns the environment from the sign-in. */
export async function findLoginFlow(id: string): Promise<AuthorizationRequest | undefined> {
  const key = environmentOfFlow(id);
  if (key === undefined) return undefined;
  const [record, environment] = await awaitAll([
    loginFlows.get(key.environmentId, key.hash),
    findOpenEnvironment(key.environmentId),
  ]);
  if (environment === undefined || record === undefined || (record.expiresAt ?? 0) <= clock.seconds()) return undefined;
  const opened = derivedOpen([id], sealInfo(record), record.sealed as Uint8Array);
  const parameters = JSON.parse(Buffer.from(opened).toString('utf8')) as AuthorizationParameters;
  return { ...parameters, environmentId: record.environmentId, id, record };
}

/** Stages that a user has to sign in before an account at a connection is linked, and that the pages ask for that user. */
export function stageLinkOfFlow(
  unit: Pick<Unit, 'stage'>,
  { record, environmentId: _, id, ...parameters }: AuthorizationRequest,
  link: PendingLink,
  loginHint: string,
): void {
  const next: AuthorizationParameters = { ...parameters, link, loginHint, prompt: 'login' };
  unit.stage(loginFlows.revise(record, { sealed: derivedSeal([id], sealInfo(record), JSON.stringify(next)) }).write);
}

/** Stages the end of a sign-in: a second call conflicts, and then finds that it has ended. */
export function stageEndOfFlow(unit: Pick<Unit, 'stage'>, flow: AuthorizationRequest): void {
  unit.stage(loginFlows.remove(flow.record));
}

/** The redirect with the code (RFC 6749 section 4.1.2). */
export const finishFlow = (flow: AuthorizationParameters, code: string): string => redirectTo(flow, { code });

/** The redirect with an error (RFC 6749 section 4.1.2.1). @param error A code of that section. */
export const failFlow = (flow: AuthorizationParameters, error: string, description: string): string =>
  redirectTo(flow, { error, error_description: description });
