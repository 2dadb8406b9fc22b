import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/id-format.ts';
import { operation } from '../../../kernel/operation.ts';
import { bearerOfToken, claimsOfCaller } from '../../../kernel/tokens/authenticator.ts';
import { issuerClaims } from '../../../kernel/tokens/issuer.ts';
import { signToken } from '../../../kernel/tokens/sign.ts';
import { admitMinting, type MintingVerdict, readCallerAuthority } from '../../../tenancy/modules/trust/public.ts';
import { type Holder, notAMember, organizationNotFound, readHolder, sessionEnded, userNotFound } from '../holder.ts';
import { CreateWidgetToken, WIDGET_SCOPES, type WidgetScope, WidgetSession, WidgetToken } from './schema.ts';

const LIFETIME_SECONDS = 3_600;

const organizationRequired = declareError({
  status: 400,
  code: 'organization_required',
  message: 'scopes need organization_id: a widget acts on one organization. Name it, or leave scopes out.',
});

const noScopeLeft = declareError({
  status: 422,
  code: 'scopes_not_permitted',
  message: 'The user has none of these permissions in this organization. Give them a role that has one.',
});

const holderRequired = { field: 'user_id', code: 'required', message: 'is required, or organization_id' };

export const createWidgetToken = operation({
  id: 'widgets.token',
  method: 'POST',
  path: '/widgets/token',
  summary: 'Create a token of a widget',
  description:
    'Creates a JWT that is valid for one hour, with which a widget in a page calls the service, for a user, for an organization, or for a user within ' +
    'an organization. `scopes` are reduced to the permissions that the user has there; if none is left, the request is rejected. ' +
    'Its type is `widget+jwt`. It is not an access token of a session: the keys of `/sso/jwks/{clientId}` do not verify it.',
  auth: apiKey,
  body: CreateWidgetToken,
  responses: { 201: WidgetToken },
  errors: [organizationRequired, organizationNotFound, userNotFound, notAMember, noScopeLeft],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, caller, body, fail, invalid }) {
    const { user_id: userId, organization_id: organizationId } = body;
    const wanted = [...new Set(body.scopes)];
    if (wanted.length > 0 && organizationId === undefined) {
      // The contract has a list of messages in this one response.
      const members = { message: [organizationRequired.message], error: 'Bad Request' };
      throw fail(organizationRequired, { members });
    }
    const subject = userId ?? organizationId;
    if (subject === undefined) throw invalid([holderRequired]);
    const [issued, holder] = await awaitAll([
      issuerClaims(environmentId),
      readHolder(environmentId, { userId, organizationId }),
    ]);
    if (organizationId !== undefined && !holder.hasOrganization) throw fail(organizationNotFound);
    if (userId !== undefined && !holder.hasUser) throw fail(userNotFound);
    if (userId !== undefined && organizationId !== undefined && !holder.isMember) throw fail(notAMember);
    const scopes = permittedScopes(wanted, holder, userId !== undefined);
    if (wanted.length > 0 && scopes.length === 0) throw fail(noScopeLeft);
    const claims = {
      ...issued,
      sub: subject,
      ...(organizationId === undefined ? {} : { org_id: organizationId }),
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    };
    const verdict = admitMinting(readCallerAuthority(caller, clock.now()), organizationId);
    return { status: 201, body: { token: await signWidgetToken(verdict, environmentId, claims) } };
  },
});

const signWidgetToken = (_: MintingVerdict, environmentId: string, claims: Record<string, unknown>): Promise<string> =>
  signToken(environmentId, 'widget', claims, LIFETIME_SECONDS);

/**
 * The scopes of a token: for a user those that are the user's permissions, for an organization without a user all requested
 * ones.
 */
const permittedScopes = (wanted: readonly WidgetScope[], holder: Holder, isForUser: boolean): WidgetScope[] =>
  WIDGET_SCOPES.filter((scope) => wanted.includes(scope) && (!isForUser || holder.permissions.includes(scope)));

export const getWidgetSession = operation({
  id: 'widgets.session',
  method: 'GET',
  path: '/x/widgets/session',
  summary: "Get the session of a widget's token",
  description:
    'Returns the current user, organization and scopes of the token in `Authorization`: a scope that the user has lost since ' +
    'is left out, and with the token of a deleted user, organization or membership the response is 404.',
  auth: bearerOfToken('widget'),
  browser: true,
  responses: { 200: WidgetSession },
  errors: [sessionEnded],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, caller, fail }) {
    const { sub, org_id: organization, scope = '', exp } = claimsOfCaller(caller);
    const userId = isId('user', sub) ? sub : undefined;
    const organizationId = organization as string | undefined;
    const holder = await readHolder(environmentId, { userId, organizationId });
    const isLive =
      userId === undefined ? holder.hasOrganization : organizationId === undefined ? holder.hasUser : holder.isMember;
    if (!isLive) throw fail(sessionEnded);
    const granted = String(scope).split(' ') as WidgetScope[];
    return {
      status: 200,
      body: {
        object: 'widget_session' as const,
        user_id: userId ?? null,
        organization_id: organizationId ?? null,
        scopes: permittedScopes(granted, holder, userId !== undefined),
        expires_at: new Date(exp * 1_000).toISOString(),
      },
    };
  },
});

export const widgetTokenOperations = [createWidgetToken, getWidgetSession] as const;
