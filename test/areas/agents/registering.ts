import { call, service } from '../../support/service.ts';

export interface Registered {
  id: string;
  type: string;
  identity: { assertion: string; expires_at: string } | null;
  claim: { token: string; expires_at: string; url: string; attempt: Attempt | null } | null;
  scopes: { pre_claim: string[]; post_claim: string[] };
  code?: string;
}

export interface Attempt {
  id: string;
  verification_uri: string;
  expires_at: string;
}

export interface Credential {
  access_token: string;
  expires_in?: number;
  scope: string;
  error?: string;
}

export interface View {
  id: string;
  status: string;
  user_code: string;
  organizations: { id: string; name: string }[];
  code?: string;
}

export const ADA = 'ada@example.com';
export const CLAIM_URI = 'https://app.example.com/claim?from=agent';
export const SETTINGS = {
  anonymous: true,
  service_auth: true,
  claim_uri: CLAIM_URI,
  pre_claim_permissions: ['posts:read'],
  post_claim_permissions: ['posts:read', 'posts:write', 'posts:gone'],
};

export const configure = (registrations: object = {}) =>
  call('PUT', '/x/agents/settings', { registrations: { ...SETTINGS, ...registrations } });

export async function keyless<T>(path: string, body: object) {
  const { clientId } = await service();
  return call<T>('POST', `/x/agents/environments/${clientId}/${path}`, body, { apiKey: null });
}

export const register = (body: object = { type: 'anonymous' }) => keyless<Registered>('identity', body);
export const exchange = (assertion = '', more: object = {}) =>
  keyless<Credential>('token', { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion, ...more });
export const begin = (token = '', loginHint = ADA) =>
  keyless<{ attempt: Attempt; code?: string }>('identity/claim', { claim_token: token, login_hint: loginHint });
export const complete = (token = '', code = '') =>
  keyless<{ organization_id: string; identity: { assertion: string }; code?: string }>('identity/claim/complete', {
    claim_token: token,
    user_code: code,
  });
export const link = (token: string, more: object = {}, user: object = {}) =>
  call<View>('PATCH', '/agents/claims/attempts', {
    type: 'link_external_user',
    claim_attempt_token: token,
    user: { email: ADA, external_id: 'ada', ...user },
    ...more,
  });
export const check = async (type: string, credential: string, more: object = {}) =>
  (
    await call<{ valid: boolean; registration_id: string | null; expires_at: string | null }>(
      'POST',
      '/agents/credentials/validate',
      { type, credential, ...more },
    )
  ).body;
export const readToken = (attempt: Attempt | null | undefined): string =>
  new URL(attempt?.verification_uri ?? '').searchParams.get('claim_attempt_token') ?? '';
export const readStatus = async (id: string): Promise<string> =>
  (await call<{ status: string }>('GET', `/agents/registrations/${id}`)).body.status;
