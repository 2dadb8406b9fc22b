import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { declareError, notFound, orFail } from '../../../../kernel/errors.ts';
import { operation } from '../../../../kernel/operation.ts';
import { wholeList } from '../../../../kernel/pagination.ts';
import { findUser, userNotFound } from '../../../../tenancy/modules/users/public.ts';
import { factorResets } from './entity.ts';
import { FactorReset, FactorResetList, presentReset } from './schema.ts';
import { findResets, stageEndOfReset } from './stage.ts';

const resetNotFound = notFound('factor reset');

const resetEnded = declareError({
  status: 409,
  code: 'factor_reset_ended',
  message: 'The reset was carried out, stopped or cancelled before. Nothing was changed.',
});

const PATH = '/x/account/users/{userId}/factor_resets';

const listResets = operation({
  id: 'factor_resets.list',
  method: 'GET',
  path: PATH,
  summary: 'List the delayed resets of a user’s factors',
  description:
    'An operator’s removal of a factor or passkey is delayed where the settings say so. Finished resets are listed for 30 days.',
  auth: apiKey,
  operator: 'people.read',
  responses: { 200: FactorResetList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { userId }, fail }) {
    const [resets] = await awaitAll([
      findResets(environmentId, userId),
      orFail(findUser(environmentId, userId), () => fail(userNotFound)),
    ]);
    return { status: 200, body: wholeList(resets.map(presentReset)) };
  },
});

const cancelReset = operation({
  id: 'factor_resets.cancel',
  method: 'POST',
  path: `${PATH}/{id}/cancel`,
  summary: 'Cancel a delayed reset of a factor',
  description: 'The factor stays.',
  auth: apiKey,
  operator: 'people.support',
  responses: { 200: FactorReset },
  errors: [resetNotFound, resetEnded],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params: { userId, id }, unit, fail }) {
    const reset = await orFail(factorResets.get(environmentId, id, { userId }), () => fail(resetNotFound));
    if (reset.state !== 'pending') throw fail(resetEnded);
    return { status: 200, body: presentReset(stageEndOfReset(unit, reset, 'cancelled')) };
  },
});

export const factorResetOperations = [listResets, cancelReset] as const;
