import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { type Binding, COOKIES } from '../../kernel/http/cookies.ts';
import { ulidOf } from '../../kernel/id-format.ts';
import { derivedOpen, derivedSeal } from '../../kernel/keys/derived-seal.ts';
import { type SignInSecrets, type SocialSignInRecord, socialSignIns } from './entity.ts';

/** Prefix of the `state` at a provider. */
const PREFIX = 'social_';

/** Seconds within which somebody is back from the provider. */
export const LIFE_SECONDS = COOKIES.social.life;

/** A new state, found again by its hash alone. */
export function mintState(environmentId: string): { state: string; id: string } {
  const { value, hash } = mintKey(PREFIX, ulidOf(environmentId));
  return { state: value, id: hash };
}

/** The sign-in of a state: one GetItem; undefined for one that is unknown, used or past its time. */
export async function findSignIn(state: string): Promise<SocialSignInRecord | undefined> {
  const key = readKey(PREFIX, state);
  if (key === undefined) return undefined;
  const record = await socialSignIns.get(environmentIdOf(key.ulid), key.hash);
  return record === undefined || (record.expiresAt ?? 0) <= clock.seconds() ? undefined : record;
}

const info = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `social-sign-in ${environmentId} ${id}`;

/** Seals what a sign-in needs when it is back under the state that comes back with it. */
export const sealSecrets = (
  own: { environmentId: string; id: string },
  state: string,
  secrets: SignInSecrets,
): Uint8Array => derivedSeal([state], info(own), JSON.stringify(secrets));

/** What was sealed. */
export const openSecrets = (record: SocialSignInRecord, state: string): SignInSecrets =>
  JSON.parse(
    Buffer.from(derivedOpen([state], info(record), record.sealed as Uint8Array)).toString('utf8'),
  ) as SignInSecrets;

/** What ties a sign-in to the browser that was sent to the provider. */
export const bindingOf = (id: string): Binding => ({ purpose: 'social', id });
