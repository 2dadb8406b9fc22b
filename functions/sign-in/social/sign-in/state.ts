import { environmentIdOf } from '../../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { type Binding, COOKIES } from '../../../kernel/http/cookies.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { derivedOpen, derivedSeal } from '../../../kernel/keys/derived-seal.ts';
import { type SignInSecrets, type SocialSignInRecord, socialSignIns } from './entity.ts';

/** Prefix of the `state` at a provider. */
const PREFIX = 'social_';

/** Time in seconds within which the browser must return from the provider. */
export const LIFE_SECONDS = COOKIES.social.life;

/** Makes a new state, which can be found only by its hash. */
export function mintState(environmentId: string): { state: string; id: string } {
  const { value, hash } = mintKey(PREFIX, readUlid(environmentId));
  return { state: value, id: hash };
}

/** Finds the sign-in of a state, by one GetItem. Returns undefined if the state is unknown, used or expired. */
export async function findSignIn(state: string): Promise<SocialSignInRecord | undefined> {
  const key = readKey(PREFIX, state);
  if (key === undefined) return undefined;
  const record = await socialSignIns.get(environmentIdOf(key.ulid), key.hash);
  return record === undefined || (record.expiresAt ?? 0) <= clock.seconds() ? undefined : record;
}

const info = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `social-sign-in ${environmentId} ${id}`;

/**
 * Encrypts the data that a sign-in needs after the return of the browser, with a key from the state that returns with it.
 */
export const sealSecrets = (
  own: { environmentId: string; id: string },
  state: string,
  secrets: SignInSecrets,
): Uint8Array => derivedSeal([state], info(own), JSON.stringify(secrets));

/** Decrypts the secrets of a state. */
export const openSecrets = (record: SocialSignInRecord, state: string): SignInSecrets =>
  JSON.parse(
    Buffer.from(derivedOpen([state], info(record), record.sealed as Uint8Array)).toString('utf8'),
  ) as SignInSecrets;

/** The cookie that binds a sign-in to the browser that was redirected to the provider. */
export const bindingOf = (id: string): Binding => ({ purpose: 'social', id });
