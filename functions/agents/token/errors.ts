import { declareError } from '../../kernel/errors.ts';

export const invalidUserToken = declareError({
  status: 400,
  code: 'invalid_user_access_token',
  message:
    'user_access_token is no valid access token of a session in an organization of this environment, or an impersonator’s. ' +
    'Send that of the user who delegates.',
});

export const invalidAgentToken = declareError({
  status: 400,
  code: 'invalid_agent_access_token',
  message:
    'agent_access_token is no valid token of an agent of this environment and blueprint, or it has expired. Refresh it.',
});

export const invalidRefreshToken = declareError({
  status: 400,
  code: 'invalid_refresh_token',
  message: 'refresh_token is not the current one of a session of this blueprint. Mint a token instead.',
});

export const sessionRevoked = declareError({
  status: 400,
  code: 'session_revoked',
  message: 'The agent’s session, or one from which it was delegated, was revoked. Mint a token instead.',
});

export const sessionExpired = declareError({
  status: 400,
  code: 'session_expired',
  message: 'The agent’s session, or one from which it was delegated, has expired. Mint a token instead.',
});

export const userSessionEnded = declareError({
  status: 400,
  code: 'user_session_ended',
  message: 'The session of the delegating user is over. The user signs in again and delegates again.',
});

export const maxAgeExceeded = declareError({
  status: 400,
  code: 'max_age_exceeded',
  message: 'The session has reached max_age_seconds of its blueprint. Mint a token instead.',
});

export const sessionSettingsNotFound = declareError({
  status: 400,
  code: 'session_settings_not_found',
  message: 'The blueprint has no session_settings. Set them with PATCH.',
});

export const chainDepthExceeded = declareError({
  status: 400,
  code: 'chain_depth_exceeded',
  message: 'The chain of delegations has max_chain_depth agents already (/x/agents/settings).',
});

export const notAMember = declareError({
  status: 403,
  code: 'user_not_member_of_organization',
  message: 'The delegating user is not an active member of the organization of their session.',
});

export const organizationNotInvocable = declareError({
  status: 403,
  code: 'organization_not_invocable',
  message: 'The blueprint is not for this organization. Add it to invocable_by.organization_ids.',
});

export const roleNotInvocable = declareError({
  status: 403,
  code: 'role_not_invocable',
  message: 'The blueprint is for members with one of invocable_by.role_slugs, and without a member for nothing.',
});

export const agentsStopped = declareError({
  status: 403,
  code: 'agents_stopped',
  message:
    'Agents of this environment, organization, user or blueprint are stopped (GET /x/agents/stop). Lift the stop first.',
});
