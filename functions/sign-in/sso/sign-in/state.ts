import { createHmac } from 'node:crypto';

import { environmentIdOf } from '../../../kernel/authentication/api-key.ts';
import { composeKey, mintKey, readKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import type { Binding } from '../../../kernel/http/cookies.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { derivedOpen, derivedSeal } from '../../../kernel/keys/derived-seal.ts';
import { settings } from '../../../kernel/settings.ts';
import { type ProviderResponse, type SignInSecrets, type SsoSignInRecord, ssoSignIns } from './entity.ts';

/** Prefix of the RelayState and `state` at identity providers. A state with it has 79 bytes, and may have 80. */
const PREFIX = 'sso_';

/** Time in seconds within which the provider must respond. */
export const LIFE_SECONDS = 600;

/** Time in seconds for which the row of a sign-in is kept after its expiry, so that a worker can report the time-out. */
export const KEPT_SECONDS = 86_400;

/** Makes a new state. The id is its hash, by which the row of the sign-in is found. */
export function mintState(environmentId: string): { state: string; id: string } {
  const { value, hash } = mintKey(PREFIX, readUlid(environmentId));
  return { state: value, id: hash };
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The only state of a sign-in that may be started once: a second start finds its row. */
export function stateOfFlow(environmentId: string, flowId: string): { state: string; id: string } {
  const bytes = createHmac('sha512', flowId).update('state at the identity provider').digest();
  const secret = [...bytes.subarray(0, 43)].map((byte) => DIGITS.charAt(byte % DIGITS.length)).join('');
  const { value, hash } = composeKey(PREFIX, readUlid(environmentId), secret);
  return { state: value, id: hash };
}

/** The environment and the id of the sign-in of a state, found without a read; undefined for any other text. */
export function signInOfState(state: string): { environmentId: string; id: string } | undefined {
  const key = readKey(PREFIX, state);
  return key && { environmentId: environmentIdOf(key.ulid), id: key.hash };
}

/** Finds the sign-in of a state, by one GetItem. Returns undefined if it is unknown, completed or expired. */
export async function findSignIn(state: string): Promise<SsoSignInRecord | undefined> {
  const key = signInOfState(state);
  const record = key && (await ssoSignIns.get(key.environmentId, key.id));
  return record === undefined || record.endsAt <= clock.seconds() ? undefined : record;
}

const info = ({ environmentId, id }: { environmentId: string; id: string }, part: string): string =>
  `sso-sign-in ${part} ${environmentId} ${id}`;

type Owner = Pick<SsoSignInRecord, 'environmentId' | 'id'>;

/** Encrypts a part of a sign-in with a key from the state that returns with it. */
export const sealSecrets = (own: Owner, state: string, secrets: SignInSecrets): Uint8Array =>
  derivedSeal([state], info(own, 'secrets'), JSON.stringify(secrets));

export const encryptResponse = (own: Owner, state: string, response: ProviderResponse): Uint8Array =>
  derivedSeal([state], info(own, 'answer'), JSON.stringify(response));

const opened = (sealed: unknown, own: Owner, state: string, part: string): unknown =>
  JSON.parse(Buffer.from(derivedOpen([state], info(own, part), sealed as Uint8Array)).toString('utf8'));

/** Decrypts the parts of a sign-in. */
export const openSecrets = (record: SsoSignInRecord, state: string): SignInSecrets =>
  opened(record.sealed, record, state, 'secrets') as SignInSecrets;

export const decryptResponse = (record: SsoSignInRecord, state: string): ProviderResponse | undefined =>
  record.response === undefined ? undefined : (opened(record.response, record, state, 'answer') as ProviderResponse);

/** The URL at which the browser continues after the response of its provider was stored. */
export const continueAt = (state: string): string =>
  `${settings().GATEHOUSE_BASE_URL}/x/sso/continue?state=${encodeURIComponent(state)}`;

/** The cookie that binds a sign-in to the browser that was redirected to the provider, or that brought its response. */
export const bindingOf = (id: string): Binding => ({ purpose: 'sso', id });
