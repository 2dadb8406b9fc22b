import { normalizeEmail } from '../../../../kernel/address.ts';
import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { operation } from '../../../../kernel/operation.ts';
import { findUser, getUserByEmail, userNotFound } from '../../../../tenancy/modules/users/public.ts';
import { findDeletedAddress, findFacts } from './find.ts';
import { ExplainSignIn, ExplainSignInByAddress, presentExplanation, SignInExplanation } from './schema.ts';

const DESCRIPTION =
  'Evaluates the steps of a sign-in in their order, without signing in: account, methods, single sign-on, limits, Radar, address, messages, ' +
  'second factor, memberships, and the last result. Each line has its source, its time, and who can change it; `stops_at` is the reason of ' +
  'the first line that stops the sign-in. Nothing is counted or changed. Recent events and messages may be missing for a moment.';

export const explainUserSignIn = operation({
  id: 'users.sign_in_explanation',
  method: 'GET',
  path: '/x/user-management/users/{id}/sign_in_explanation',
  summary: 'Explain why a user can or cannot sign in',
  description: `${DESCRIPTION} A deleted user is explained for as long as events are kept.`,
  auth: apiKey,
  query: ExplainSignIn,
  responses: { 200: SignInExplanation },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const user = await findUser(environmentId, params.id);
    const email = user?.email ?? (await findDeletedAddress(environmentId, params.id));
    if (email === undefined) throw fail(userNotFound);
    const { organization_id: organizationId, ip_address: ipAddress } = query;
    const facts = await findFacts({ environmentId, user, userId: params.id, email, organizationId, ipAddress });
    return { status: 200, body: presentExplanation(facts) };
  },
});

export const explainAddressSignIn = operation({
  id: 'sign_in_explanations.by_address',
  method: 'GET',
  path: '/x/user-management/sign_in_explanation',
  summary: 'Explain why an address can or cannot sign in',
  description: `${DESCRIPTION} An address without an account is explained by its invitations and failed attempts.`,
  auth: apiKey,
  query: ExplainSignInByAddress,
  responses: { 200: SignInExplanation },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const { organization_id: organizationId, ip_address: ipAddress } = query;
    const user = await getUserByEmail(environmentId, query.email);
    const email = user?.email ?? normalizeEmail(query.email) ?? query.email;
    const facts = await findFacts({ environmentId, user, userId: user?.id, email, organizationId, ipAddress });
    return { status: 200, body: presentExplanation(facts) };
  },
});

export const explanationOperations = [explainUserSignIn, explainAddressSignIn] as const;
