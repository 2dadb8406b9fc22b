import { environmentIdOf } from '../../../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { readUlid } from '../../../../kernel/id-format.ts';
import { envelopes } from '../../../../kernel/keys/shared.ts';
import { settings } from '../../../../kernel/settings.ts';
import type { InvitationRecord } from './entity.ts';
import { invitationPayload, type WireInvitation } from './schema.ts';
import { invitationSettings } from './settings.ts';
import { keyPurpose } from '../../../../kernel/keys/key-wrapper.ts';

const PREFIX = 'invitation_token_';

/** The hosted page that accepts invitations, below the base URL; it takes the token as `invitation_token`. */
export const INVITATION_PAGE = '/hosted/invitation';

/** Makes a new token: 256 random bits and the id of its environment, so that the page knows the environment. */
export const newToken = (environmentId: string): string => mintKey(PREFIX, readUlid(environmentId)).value;

/** The environment that a token names, found without a read; undefined if it is not an invitation token. */
export function environmentOfInvitationToken(token: string): string | undefined {
  const key = readKey(PREFIX, token);
  return key && environmentIdOf(key.ulid);
}

const makeScope = (environmentId: string) => ({ environmentId, purpose: keyPurpose('invitation') });

/** Encrypts a token for its invitation, by one KMS call at most, none while the environment's data key is cached. */
export const sealToken = (environmentId: string, id: string, token: string): Promise<Uint8Array> =>
  envelopes().seal(makeScope(environmentId), id, token);

/** Decrypts the token of an invitation. */
export const openToken = ({ environmentId, id, token }: InvitationRecord): Promise<string> =>
  envelopes().openText(makeScope(environmentId), id, token as Uint8Array);

/** The page that accepts an invitation: the environment's own, otherwise the hosted one. */
export async function makeAcceptUrl(environmentId: string, token: string): Promise<string> {
  const { accept_url: own } = await findSettings(environmentId, invitationSettings);
  const url = new URL(own ?? `${settings().GATEHOUSE_BASE_URL}${INVITATION_PAGE}`);
  url.searchParams.set('invitation_token', token);
  return url.href;
}

/** The payload of an invitation's events, with its state at the current time. */
export const currentPayload = (record: InvitationRecord) => invitationPayload(record, clock.now());

/** A stored invitation as callers see it, with its decrypted token. */
export async function presentInvitation(record: InvitationRecord): Promise<WireInvitation> {
  const token = await openToken(record);
  return {
    ...currentPayload(record),
    token,
    accept_invitation_url: await makeAcceptUrl(record.environmentId, token),
  };
}
