import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { orFail } from '../../../../kernel/errors.ts';
import { reset } from '../../../../kernel/limits/counter.ts';
import { operation } from '../../../../kernel/operation.ts';
import { wholeList } from '../../../../kernel/pagination.ts';
import { findUser, userNotFound } from '../../../../tenancy/modules/users/public.ts';
import { findUserLimits } from './find.ts';
import { isLiftable } from './rules.ts';
import { LiftUserLimits, ListUserLimits, presentLimit, UserLimitList } from './schema.ts';

export const listUserLimits = operation({
  id: 'users.limits',
  method: 'GET',
  path: '/x/user-management/users/{id}/limits',
  summary: 'List the limits of a user, with what is used of them',
  description:
    'Lists the counters of attempts that can reject a sign-in of the user or a message to them: by address, user, factor, phone ' +
    'number, and by the networks of recent sign-ins. Counters of the user’s browsers are not included, because their keys are ' +
    'secrets of the browsers.',
  auth: apiKey,
  query: ListUserLimits,
  responses: { 200: UserLimitList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const user = await orFail(findUser(environmentId, params.id), () => fail(userNotFound));
    const found = await findUserLimits(user, query.ip_address);
    return { status: 200, body: wholeList(found.map(presentLimit)) };
  },
});

export const liftUserLimits = operation({
  id: 'users.lift_limits',
  method: 'DELETE',
  path: '/x/user-management/users/{id}/limits',
  summary: 'Remove the counted attempts of a user',
  description:
    'The next attempt is the first of a new window. Counters of a network are not removed: they protect the other accounts ' +
    'from its clients. Returns the limits as they were. Do this for a person whose identity you have verified: the limits are ' +
    'what keeps others from guessing.',
  auth: apiKey,
  operator: 'people.support',
  query: LiftUserLimits,
  responses: { 200: UserLimitList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, unit, fail }) {
    const user = await orFail(findUser(environmentId, params.id), () => fail(userNotFound));
    const found = await findUserLimits(user, query.ip_address);
    const lifted = found.filter(
      (limit) => limit.used > 0 && isLiftable(limit) && (query.name === undefined || query.name === limit.name),
    );
    await unit.once('lift limits', () => awaitAll(lifted.map((limit) => reset(environmentId, limit))));
    return { status: 200, body: wholeList(lifted.map(presentLimit)) };
  },
});

export const userLimitOperations = [listUserLimits, liftUserLimits] as const;
