import { connectSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import { exchangeFault } from '../../../kernel/authentication/code-exchange.ts';
import { loadAudiences } from '../../../tenancy/modules/client-settings/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { Failure } from '../../../kernel/errors.ts';
import { constantTimeEqual, sha256Hex } from '../../../kernel/keys/hash.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import { clientOfTokenRequest } from '../client-secret/credentials.ts';
import { type GrantRecord, grants } from '../grant/entity.ts';
import { admitGrant, findGrantRows, isGrantOf } from '../grant/find.ts';
import { CODE_PREFIX, readReference } from '../grant/reference.ts';
import { stageEndOfGrant } from '../grant/stage.ts';
import { concludeGrant, startTokens, writeRefreshToken } from './conclude.ts';
import { invalidGrant, missingParameter } from './errors.ts';
import type { TokenGrant } from './grants.ts';
import type { TokenRequest } from './schema.ts';

/**
 * Checks that the exchange has the client, redirect URI and verifier to which the code is bound (RFC 6749 section 4.1.3, RFC
 * 7636 section 4.6).
 */
function checkProofs(grant: GrantRecord, body: TokenRequest, client: 'confidential' | 'public'): void {
  const { redirectUri = '', codeChallenge, isUriNamed = true } = grant;
  const isMissing = isUriNamed && body.redirect_uri === undefined;
  const presented = { client, verifier: body.code_verifier, redirectUri: body.redirect_uri };
  const fault = exchangeFault({ codeChallenge, redirectUri }, presented, constantTimeEqual);
  if (isMissing || fault !== undefined) {
    const message = 'redirect_uri or code_verifier is not that of the authorization request.';
    throw new Failure(invalidGrant, { message });
  }
}

/**
 * Exchanges a code (RFC 6749 section 4.1.3), in one wave of reads and one conditional write, since the code and its refresh
 * token are in one row. A second use of the code revokes the grant, because the code may have been stolen (section 4.1.2).
 */
export const exchangeCode: TokenGrant = async (call) => {
  const { environmentId, body, unit } = call;
  if (body.code === undefined) throw new Failure(missingParameter, { message: 'code is required.' });
  const reference = readReference(CODE_PREFIX, body.code);
  const [client, rows, model, settings, audiences] = await readTogether(() =>
    awaitAll([
      clientOfTokenRequest(call),
      reference && findGrantRows(environmentId, reference, { isForCode: true }),
      loadModel(environmentId),
      findSettings(environmentId, connectSettings),
      loadAudiences(environmentId),
    ]),
  );
  const { application } = client;
  const hash = sha256Hex(reference?.secret ?? '');
  const isGenuine = rows?.grant.codeHash !== undefined && constantTimeEqual(rows.grant.codeHash, hash);
  if (rows === undefined || !isGenuine || !isGrantOf(application, rows.grant)) throw new Failure(invalidGrant);
  if (rows.grant.isCodeUsed === true) {
    stageEndOfGrant(unit, rows.grant);
    throw new Failure(invalidGrant, { commitOnFailure: true });
  }
  checkProofs(rows.grant, body, client.kind);
  const valid = await admitGrant(rows, false);
  if (valid === undefined || (rows.grant.codeUntil ?? 0) <= clock.now()) throw new Failure(invalidGrant);
  const { grant } = valid;
  return concludeGrant(call, { ...valid, application, granted: grant, model, settings, audiences }, (scopes) => {
    const { attributes, secret } = startTokens(settings, scopes);
    const { record, write } = grants.revise(grant, { isCodeUsed: true, codeChallenge: undefined, ...attributes });
    unit.stage(write);
    return { grant: record, refreshToken: secret && writeRefreshToken(record, secret) };
  });
};
