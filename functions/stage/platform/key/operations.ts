import { newEnvironmentKey } from '../../../kernel/authentication/api-key.ts';
import { declareError, type Failure, notFound, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { wholeList } from '../../../kernel/pagination.ts';
import { credentials, findCredential, keyIdOf, listCredentials } from '../../../kernel/storage/environment.ts';
import { releaseIfHeld } from '../../../kernel/storage/unique.ts';
import { notPlatform, platformCaller } from '../caller.ts';
import { teamEnvironmentDeleted, teamNotFound } from '../team/errors.ts';
import { findTeam, findTeamEnvironment } from '../team/find.ts';
import { isEnvironmentKind } from '../team/rules.ts';
import { isDeleted } from '../team/schema.ts';
import { CreateTeamKey, presentKey, TeamKeyList, TeamKeyWithValue } from './schema.ts';

/** The maximum number of keys that a platform may create for one environment of a team. The list has no pages. */
const MAX_KEYS = 20;

const PATH = '/x/platform/teams/{team_id}/environments/{environment}/keys';

const environmentNotFound = {
  ...notFound('environment of the team'),
  message: 'A team has no such environment. The path takes `staging` or `production`, not an id.',
};
const keyNotFound = {
  ...notFound('key of this environment'),
  message: `The environment has no such API key. GET ${PATH} lists its keys.`,
};

const productionNotActive = declareError({
  status: 409,
  code: 'production_not_active',
  message:
    'The production environment has no keys until it is active. Activate it with PUT /x/platform/teams/{team_id}/production_state.',
});

const tooManyKeys = declareError({
  status: 409,
  code: 'too_many_keys',
  message: `The environment has ${MAX_KEYS} keys, which is the limit. Delete one first.`,
});

interface Named {
  team_id: string;
  environment: string;
}

/** Finds the team and the environment that a path names. @throws Failure if one does not exist */
async function findNamed(
  platformId: string,
  { team_id: teamId, environment: kind }: Named,
  fail: (error: typeof teamNotFound | typeof environmentNotFound | typeof teamEnvironmentDeleted) => Failure,
) {
  const found = await orFail(findTeam(platformId, teamId), () => fail(teamNotFound));
  if (!isEnvironmentKind(kind)) throw fail(environmentNotFound);
  const environment = await findTeamEnvironment(found, kind);
  if (environment === undefined || isDeleted(environment)) throw fail(teamEnvironmentDeleted);
  return { team: found.team, kind, id: environment.id };
}

const createKey = operation({
  id: 'platform_keys.create',
  method: 'POST',
  path: PATH,
  summary: 'Create a key of an environment of a team',
  description: 'Only this response contains the value: the service stores its hash and its last four characters.',
  auth: platformCaller,
  body: CreateTeamKey,
  responses: { 201: TeamKeyWithValue },
  errors: [notPlatform, teamNotFound, environmentNotFound, teamEnvironmentDeleted, productionNotActive, tooManyKeys],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const { team, kind, id } = await findNamed(environmentId, params, fail);
    if (kind === 'production' && team.productionState !== 'Active') throw fail(productionNotActive);
    if ((await listCredentials(id)).length >= MAX_KEYS) throw fail(tooManyKeys);
    const { record, writes, value } = newEnvironmentKey(id, body.name, { readOnly: body.read_only });
    unit.stage(writes);
    return { status: 201, headers: { 'cache-control': 'no-store' }, body: { ...presentKey(record), value } };
  },
});

const listKeys = operation({
  id: 'platform_keys.list',
  method: 'GET',
  path: PATH,
  summary: 'List the keys of an environment of a team, without their values',
  auth: platformCaller,
  operator: 'config.read',
  responses: { 200: TeamKeyList },
  errors: [notPlatform, teamNotFound, environmentNotFound, teamEnvironmentDeleted],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const { id } = await findNamed(environmentId, params, fail);
    const live = (await listCredentials(id)).filter(({ revokedAt }) => revokedAt === undefined);
    return { status: 200, body: wholeList(live.map(presentKey).reverse()) };
  },
});

const deleteKey = operation({
  id: 'platform_keys.delete',
  method: 'DELETE',
  path: `${PATH}/{key_id}`,
  summary: 'Delete a key of an environment of a team',
  description: 'Calls with the key may be accepted for a few more seconds, while it is cached.',
  auth: platformCaller,
  responses: { 204: null },
  errors: [notPlatform, teamNotFound, environmentNotFound, teamEnvironmentDeleted, keyNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const { id } = await findNamed(environmentId, params, fail);
    const key = await orFail(findCredential(id, params.key_id), () => fail(keyNotFound));
    unit.stage([credentials.remove(key), releaseIfHeld(keyIdOf(id, key.keyId), key.id)]);
    return { status: 204 };
  },
});

export const keyOperations = [createKey, listKeys, deleteKey] as const;
