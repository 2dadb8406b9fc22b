import { sign } from 'node:crypto';
import { promisify } from 'node:util';

import { clock } from '../clock.ts';
import { newUlid } from '../ids.ts';
import type { Claims } from './issuer.ts';
import { findSigning } from './keys.ts';
import { type TokenKindName, tokenKinds } from './kinds.ts';

const signOffThread = promisify(sign);

const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * Signs a token of a kind with RS256 (RFC 7519). It adds `jti`, `iat` and `exp`; all other claims are the caller's. It
 * reads nothing while the key is cached. The JWS is composed by hand, because it is two lines over Node's own signature
 * and jose would be a package that functions with sessions do not load otherwise.
 * @param lifetimeSeconds at most `LONGEST_TOKEN_SECONDS`
 */
export async function signToken(
  environmentId: string,
  kind: TokenKindName,
  claims: Claims,
  lifetimeSeconds: number,
): Promise<string> {
  const { keySet, typ } = tokenKinds[kind];
  const { kid, privateKey } = await findSigning(environmentId, keySet);
  const iat = clock.seconds();
  const payload = { ...claims, jti: newUlid(), iat, exp: iat + lifetimeSeconds };
  const content = `${encodePart({ alg: 'RS256', typ, kid })}.${encodePart(payload)}`;
  const signature = await signOffThread('sha256', Buffer.from(content), privateKey);
  return `${content}.${signature.toString('base64url')}`;
}
