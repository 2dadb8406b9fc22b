import { declareError } from '../../../kernel/errors.ts';

export { agentsStopped } from '../errors.ts';

export const invalidUserToken = declareError({
  status: 400,
  code: 'invalid_user_access_token',
  message:
    'user_access_token is not a valid access token of a session in an organization of this environment, or it is an impersonator’s. Send the token of the delegating user.',
});

export const invalidAgentToken = declareError({
  status: 400,
  code: 'invalid_agent_access_token',
  message:
    'agent_access_token has expired, or is not a token of an agent of this environment; for a validation it must also be of the blueprint in the path. Refresh it, or send another one.',
});

export const invalidRefreshToken = declareError({
  status: 400,
  code: 'invalid_refresh_token',
  message: 'refresh_token is not the current one of a session of this blueprint. Request a new token instead.',
});

export const sessionRevoked = declareError({
  status: 400,
  code: 'session_revoked',
  message: 'The agent’s session, or one from which it was delegated, was revoked. Request a new token instead.',
});

export const sessionExpired = declareError({
  status: 400,
  code: 'session_expired',
  message: 'The agent’s session, or one from which it was delegated, has expired. Request a new token instead.',
});

export const userSessionEnded = declareError({
  status: 400,
  code: 'user_session_ended',
  message: 'The session of the delegating user has ended. The user must sign in and delegate again.',
});

export const maxAgeExceeded = declareError({
  status: 400,
  code: 'max_age_exceeded',
  message: 'The session has reached max_age_seconds of its blueprint. Request a new token instead.',
});

export const sessionSettingsNotFound = declareError({
  status: 400,
  code: 'session_settings_not_found',
  message: 'The blueprint was stored without session_settings, as a migrated one can be. Set them with PATCH.',
});

export const chainDepthExceeded = declareError({
  status: 400,
  code: 'chain_depth_exceeded',
  message:
    'The chain of delegations already has as many agents as max_chain_depth of /x/agents/settings allows. Delegate from an agent earlier in the chain, or raise the setting.',
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

export const unsupportedInvocationType = declareError({
  status: 403,
  code: 'unsupported_invocation_type',
  message:
    'The blueprint is not for agents of this kind: those of a user are `delegated`, others `autonomous`. Add the kind to invocable_as.instance_types.',
});

export const roleNotInvocable = declareError({
  status: 403,
  code: 'role_not_invocable',
  message: 'Only members with one of invocable_by.role_slugs may use the blueprint; an autonomous agent cannot.',
});
