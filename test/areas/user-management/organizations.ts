import { expect } from '@jest/globals';

import { type ApiResponse, call } from '../../support/service.ts';

/** An invitation in responses, for steps that tests of invitations and waitlists share. */

export interface Invitation {
  id: string;
  email: string;
  state: string;
  token: string;
  accept_invitation_url: string;
  expires_at: string;
  created_at: string;
  accepted_at: string | null;
  revoked_at: string | null;
  organization_id: string | null;
  accepted_user_id: string | null;
  inviter_user_id: string | null;
  role_slug: string | null;
}

export const INVITATIONS = '/user_management/invitations';

export const invite = (body: object): Promise<ApiResponse<Invitation>> => call<Invitation>('POST', INVITATIONS, body);

/** Creates an invitation, which must succeed. */
export async function invited(body: object): Promise<Invitation> {
  const response = await invite(body);
  expect(response).toMatchObject({ status: 201 });
  return response.body;
}

/** Accepts, revokes or resends an invitation. */
export const act = (
  id: string,
  verb: 'accept' | 'revoke' | 'resend',
  body?: object,
): Promise<ApiResponse<Invitation>> =>
  call<Invitation>('POST', `${INVITATIONS}/${id}/${verb}`, verb === 'resend' ? (body ?? {}) : undefined);

export const read = (id: string): Promise<ApiResponse<Invitation>> => call<Invitation>('GET', `${INVITATIONS}/${id}`);

export async function listed(query = ''): Promise<{ data: Invitation[]; list_metadata: { after: string | null } }> {
  const { body } = await call<{ data: Invitation[]; list_metadata: { after: string | null } }>(
    'GET',
    `${INVITATIONS}${query}`,
  );
  return body;
}

export const organization = async (name = 'Acme'): Promise<string> =>
  (await call<{ id: string }>('POST', '/organizations', { name })).body.id;

/** Changes the environment's settings for invitations. */
export async function setInvitations(settings: object): Promise<void> {
  expect((await call('PUT', '/x/user-management/invitations/settings', settings)).status).toBe(200);
}
