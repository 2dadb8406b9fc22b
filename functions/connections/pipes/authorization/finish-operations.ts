import { calculatePKCECodeChallenge } from 'oauth4webapi';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { type DeclaredError, declareError, orFail } from '../../../kernel/errors.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { operation } from '../../../kernel/operation.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { accountEvents } from '../connected-account/stage.ts';
import { presentAccount } from '../connected-account/schema.ts';
import {
  type AuthorizationFailure,
  failureEvents,
  isFailure,
  reportFailure,
  stageAuthorizedAccount,
  useUp,
} from './complete.ts';
import { type AuthorizationRecord, authorizations } from './entity.ts';
import { FinishConnection, FinishedConnection } from './schema.ts';
import {
  type AuthorizationSecrets,
  findUnfinished,
  type Grant,
  mintConnectCode,
  openAuthorization,
  sealAuthorization,
} from './token.ts';

/** Time in seconds within which an application must finish a connected account. */
const FINISH_SECONDS = 90;

const invalidConnectCode = declareError({
  status: 400,
  code: 'invalid_connect_code',
  message:
    'The connect_code is unknown, used or older than 90 seconds, or the code_verifier or state does not belong to it. ' +
    'Start the connection again.',
});

const invalidIntegration = declareError({
  status: 400,
  code: 'invalid_data_integration',
  message: 'The integration has been deleted since the start. Nothing was connected.',
});

const targetDeleted = declareError({
  status: 400,
  code: 'target_deleted',
  message: 'The connected account that was to be authorized again was deleted. Connect a new one.',
});

const limitReached = declareError({
  status: 400,
  code: 'connected_account_limit_reached',
  message: 'The owner has reached the limit of connected accounts. Delete one, then start the connection again.',
});

const rejections = {
  data_integration_deleted: invalidIntegration,
  connected_account_deleted: targetDeleted,
  too_many_connections: limitReached,
  // The user was deleted, or another person has verified the account's address in the meantime.
  user_changed: invalidConnectCode,
} as const satisfies Record<AuthorizationFailure['code'], DeclaredError>;

/**
 * Stores the result of an authorization until the application finishes the connected account.
 * @returns the connect code, which is sent only to `return_to`
 */
export async function storeGrant(
  record: AuthorizationRecord,
  secrets: AuthorizationSecrets,
  grant: Grant,
): Promise<string> {
  const { environmentId } = record;
  const { code, id } = mintConnectCode(environmentId);
  const { slug, integrationId, redirectKey, ownership, userId, ownershipEpoch, organizationId } = record;
  const { intent, connectedAccountId, scopes, codeChallenge } = record;
  const config: unknown = record.config;
  const sealed = await sealAuthorization({ environmentId, id }, { config: secrets.config, grant });
  await applyWork(environmentId, systemActor, async (unit) => {
    const owner = { ownership, userId, ownershipEpoch, organizationId };
    const target = { slug, integrationId, redirectKey, intent, connectedAccountId, scopes, config };
    const unfinished = { stage: 'held' as const, state: record.id, codeChallenge, sealed };
    const expiresAt = clock.seconds() + FINISH_SECONDS;
    unit.stage(authorizations.create({ environmentId, id, ...owner, ...target, ...unfinished, expiresAt }).write);
  });
  return code;
}

export const finishConnection = operation({
  id: 'data_integrations.finish',
  method: 'POST',
  path: '/data-integrations/finish',
  summary: 'Finish a connection that was started with a code_challenge',
  description:
    'Stores the connected account. `connect_code` is the one that `return_to` received; it can be used once, ' +
    'within 90 seconds. A wrong `code_verifier` or `state` invalidates it: compare the state with the one in ' +
    'your user’s session before you call.',
  auth: apiKey,
  beyondContract: true,
  body: FinishConnection,
  responses: { 200: FinishedConnection },
  errors: [invalidConnectCode, invalidIntegration, targetDeleted, limitReached],
  emits: [...accountEvents, ...failureEvents],
  idempotency: 'replay',
  errorForm: messagesWith400,
  async handle({ environmentId, body, unit, fail }) {
    const unfinished = await orFail(findUnfinished(environmentId, body.connect_code), () => fail(invalidConnectCode));
    if (!(await isProven(unfinished, body))) {
      await useUp(unfinished);
      throw fail(invalidConnectCode);
    }
    const secrets = await openAuthorization(unfinished);
    if (secrets.grant === undefined) throw new Error('A held connection has no tokens');
    const outcome = await stageAuthorizedAccount(unit, unfinished, secrets, secrets.grant);
    if (isFailure(outcome)) {
      if (await useUp(unfinished)) await reportFailure(unfinished, outcome);
      throw fail(rejections[outcome.code as keyof typeof rejections]);
    }
    unit.stage(authorizations.remove(unfinished));
    return { status: 200, body: { connected_account: presentAccount(outcome) } };
  },
});

/** Reports whether the caller that finishes an authorization has started it (RFC 7636 section 4.6). */
async function isProven(
  { codeChallenge = '', state = '' }: AuthorizationRecord,
  given: { code_verifier: string; state?: string | undefined },
): Promise<boolean> {
  const challenge = await calculatePKCECodeChallenge(given.code_verifier);
  return constantTimeEqual(challenge, codeChallenge) && constantTimeEqual(given.state ?? state, state);
}

export const authorizationFinishOperations = [finishConnection] as const;
