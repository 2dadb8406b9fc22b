import { externalAuths } from '../../functions/oauth/connect/external-auth/entity.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { derivedSeal } from '../../functions/kernel/keys/derived-seal.ts';
import { consents } from '../../functions/oauth/connect/consent/entity.ts';
import { newId } from '../../functions/kernel/ids.ts';
import { ownerKey } from '../../functions/kernel/storage/record.ts';
import { commitRows } from './user-rows.ts';

/** Creates the consent of a user for an application directly in the table. @returns its id */
export async function writeConsent(
  environmentId: string,
  { userId, applicationId, organizationId }: { userId: string; applicationId: string; organizationId?: string },
): Promise<string> {
  const { record, write } = consents.create({
    environmentId,
    id: newId('authorized_connect_app'),
    owner: ownerKey('user', userId),
    userId,
    applicationId,
    organizationId,
    scopes: ['openid'],
    ownershipEpoch: 0,
  });
  await commitRows(environmentId, [write]);
  return record.id;
}

/** Creates a sign-in that waits for the environment's own application, directly in the table. @returns its id */
export async function writeExternalAuth(environmentId: string): Promise<string> {
  const id = newId('ext_auth');
  const sealed = derivedSeal([id], `external-auth ${environmentId} ${id}`, 'login_flow_of_a_sample');
  const { write } = externalAuths.create({ environmentId, id, sealed, expiresAt: clock.seconds() + 900 });
  await commitRows(environmentId, [write]);
  return id;
}
