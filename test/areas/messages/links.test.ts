import { beforeEach, expect, test } from '@jest/globals';

import { call, messages, reset } from '../../support/service.ts';
import { findLinksOfMail, HOSTILE_NAMES } from '../../support/links.ts';

beforeEach(() => reset());

async function make(path: string, body: object): Promise<{ id: string; accept_invitation_url: string }> {
  const response = await call<{ id: string; accept_invitation_url: string }>('POST', path, body);
  expect([path, response.status]).toEqual([path, 201]);
  return response.body;
}

test.each(HOSTILE_NAMES)(
  'an invitation has one link, if organization, inviter and brand are named %s',
  async (name) => {
    const { id: organization_id } = await make('/organizations', { name });
    const { id: inviter_user_id } = await make('/user_management/users', {
      email: 'eve@example.com',
      first_name: name,
    });
    const brand = await call('PUT', '/x/user-management/messages/settings', { brand: { name } });
    expect(brand.status).toBe(200);
    const invitation = { email: 'ada@example.com', organization_id, inviter_user_id };
    const { accept_invitation_url: url } = await make('/user_management/invitations', invitation);
    const [mail] = await messages('ada@example.com');
    const { subject, text, html } = { subject: mail?.subject ?? '', text: mail?.text ?? '', html: mail?.html ?? '' };
    expect(subject.replaceAll('\u2060', '')).toBe(`${name} invited you to ${name}`);
    expect(new Set(findLinksOfMail({ subject, text, html }))).toEqual(new Set([url]));
  },
);
