import { createHmac } from 'node:crypto';

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { computeChallenge } from '../../../kernel/authentication/code-exchange.ts';
import { makeClientId, OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import { clock } from '../../../kernel/clock.ts';
import { browserHash, newBrowserValue } from '../../../kernel/http/browser.ts';
import { setCookie } from '../../../kernel/http/cookies.ts';
import { randomSecret, sha256Hex } from '../../../kernel/keys/hash.ts';
import { makeConsoleCallback } from '../../../kernel/own-origin.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import type { Operator } from '../operator.ts';
import type { Sent } from '../page/declare.ts';
import { sealForm } from './kept-form.ts';
import { consoleSignIns, SIGN_IN_SECONDS, signInBinding } from './sign-in-entity.ts';

/** A redirect that begins a sign-in. */
export interface Beginning {
  status: 303;
  headers: { location: string };
  cookies: string[];
}

/**
 * The verifier of a sign-in (RFC 7636 section 4.1), which follows from the browser's cookie. So it is not stored, and a code that
 * another browser got cannot be exchanged in this one.
 */
export const makeVerifier = (cookie: string, state: string): string =>
  createHmac('sha256', cookie).update(`console verifier\n${state}`).digest('base64url');

/** A proof of identity that an operator gives again, and the form that waits for it. */
export interface Proving {
  operator: Pick<Operator, 'id' | 'email'>;
  form: Sent;
}

/**
 * Begins a sign-in on the hosted pages of the operators: the authorization code flow with PKCE (RFC 6749 section 4.1, RFC 7636). The
 * `state` is bound to the browser by a cookie, and to the page to which the sign-in returns by a row.
 * @param returnTo the path and query of a page of the console, as `readReturnTo` makes it
 * @param proving for an operator who is signed in, and proves again who they are (`max_age=0`)
 */
export async function beginSignIn(returnTo: string, proving?: Proving): Promise<Beginning> {
  const [value, state] = [newBrowserValue(), randomSecret(32, 'base64url')];
  await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
    const { write } = consoleSignIns.create({
      environmentId: OPERATORS_ENVIRONMENT_ID,
      id: sha256Hex(state),
      owner: ENVIRONMENT_OWNER,
      browserHash: browserHash(value),
      startedAt: clock.now(),
      returnTo,
      ...(proving && { userId: proving.operator.id, sealed: sealForm(sha256Hex(state), value, proving.form) }),
      expiresAt: clock.seconds() + SIGN_IN_SECONDS,
    });
    unit.stage(write);
  });
  return {
    status: 303,
    headers: { location: makeAuthorizeAddress(state, computeChallenge(makeVerifier(value, state)) ?? '', proving) },
    cookies: [setCookie(signInBinding(sha256Hex(state)), value)],
  };
}

function makeAuthorizeAddress(state: string, challenge: string, proving: Proving | undefined): string {
  const query = new URLSearchParams({
    client_id: makeClientId(OPERATORS_ENVIRONMENT_ID),
    redirect_uri: makeConsoleCallback(),
    response_type: 'code',
    provider: 'hosted',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(proving && { max_age: '0', login_hint: proving.operator.email }),
  });
  return `${settings().GATEHOUSE_BASE_URL}/user_management/authorize?${query.toString()}`;
}
