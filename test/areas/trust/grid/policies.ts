import { systemActor } from '../../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../../functions/kernel/storage/background.ts';
import { environments } from '../../../../functions/kernel/storage/environment.ts';
import { type Receiver, receiver } from '../../../support/receiver.ts';
import { advance, call } from '../../../support/service.ts';
import { environment } from '../../../support/users.ts';
import { samlConnection } from '../../sso/support.ts';
import { endpoint } from '../../webhooks/action-endpoint.ts';
import { type Member, must } from './member.ts';

/** Every instance reads a changed row after this time in seconds. */
const CACHED_SECONDS = 6;

let asked: Promise<Receiver> | undefined;

/** The policies, by the names of the README's table. */
export const POLICIES: Readonly<Record<string, (member: Member) => Promise<unknown>>> = {
  none: async () => undefined,
  async 'single sign-on'({ organizationId }) {
    const { body } = await call<{ data: object[] }>('GET', `/connections?organization_id=${organizationId}`);
    if (body.data.length === 0) await samlConnection(organizationId);
    await must('PUT', `/x/organizations/${organizationId}/sso_policy`, { required: true });
  },
  async 'second factor'() {
    const { methods } = await must<{ methods: object }>('GET', '/x/authentication/settings');
    await must('PUT', '/x/authentication/settings', { methods, mfa: 'required' });
  },
  'no member': ({ membershipId }) =>
    must('PUT', `/user_management/organization_memberships/${membershipId}/deactivate`),
  async 'blocked address'({ userId }) {
    const { email } = await must('GET', `/user_management/users/${userId}`);
    await must('POST', '/radar/lists/email/block', { entry: email });
  },
  'blocked network': () => must('POST', '/radar/lists/ip_address/block', { entry: '127.0.0.0/8' }),
  async action() {
    await endpoint(await (asked ??= receiver()), 'authentication', { verdict: 'Deny' });
    await advance(CACHED_SECONDS);
  },
  async stop() {
    await must('POST', '/x/agents/stop', { target: 'environment', reason: 'Incident 42' });
    await advance(CACHED_SECONDS);
  },
  async suspension() {
    const id = await environment();
    await applyWork(id, systemActor, async (unit) => {
      const record = await environments.get(id, id);
      if (record !== undefined) unit.stage(environments.revise(record, { suspendedAt: record.createdAt }).write);
    });
    await advance(CACHED_SECONDS);
  },
};
