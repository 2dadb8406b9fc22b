import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage, wholeList } from '../../../kernel/pagination.ts';
import { environments } from '../../../kernel/storage/environment.ts';
import { notPlatform, platformCaller } from '../caller.ts';
import { teams } from './entity.ts';
import { teamEnvironmentDeleted, teamNotFound } from './errors.ts';
import { findProductions, findTeam, findTeamEnvironment } from './find.ts';
import { ENVIRONMENT_KINDS } from './rules.ts';
import {
  isDeleted,
  ListTeams,
  presentEnvironment,
  presentTeam,
  SetProductionState,
  Team,
  TeamEnvironmentList,
  TeamList,
} from './schema.ts';

const listTeams = operation({
  id: 'platform_teams.list',
  method: 'GET',
  path: '/x/platform/teams',
  summary: 'List the teams of a platform',
  auth: platformCaller,
  operator: 'config.read',
  query: ListTeams,
  responses: { 200: TeamList },
  errors: [notPlatform],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const page = await readPage(
      query,
      (window) => teams.list('byCreation', { environmentId }).toPage(window),
      (team) => team,
    );
    const productions = await findProductions(page.data);
    return { status: 200, body: { ...page, data: page.data.map((team, at) => presentTeam(team, productions[at])) } };
  },
});

const setProductionState = operation({
  id: 'platform_teams.set_production_state',
  method: 'PUT',
  path: '/x/platform/teams/{team_id}/production_state',
  summary: 'Activate or suspend the production of a team',
  description:
    '`production_enabled_at` is the time of the first activation. The keys and public clients of a suspended environment are rejected ' +
    'within seconds, and accepted again when it is active.',
  auth: platformCaller,
  body: SetProductionState,
  responses: { 200: Team },
  errors: [notPlatform, teamNotFound, teamEnvironmentDeleted],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body: { production_state: next }, unit, fail }) {
    const { team, production } = await orFail(findTeam(environmentId, params.team_id), () => fail(teamNotFound));
    if (production === undefined || isDeleted(production)) throw fail(teamEnvironmentDeleted);
    if (team.productionState === next) return { status: 200, body: presentTeam(team, production) };
    const at = clock.timestamp();
    const isActive = next === 'Active';
    const changes = {
      productionState: next,
      ...(isActive ? { productionEnabledAt: team.productionEnabledAt ?? at } : {}),
    };
    const { record, write } = teams.revise(team, changes);
    unit.stage([write, environments.revise(production, { suspendedAt: isActive ? undefined : at }).write]);
    return { status: 200, body: presentTeam(record, production) };
  },
});

const listTeamEnvironments = operation({
  id: 'platform_teams.list_environments',
  method: 'GET',
  path: '/x/platform/teams/{team_id}/environments',
  summary: 'List the environments of a team with their client ids',
  auth: platformCaller,
  operator: 'config.read',
  responses: { 200: TeamEnvironmentList },
  errors: [notPlatform, teamNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const found = await orFail(findTeam(environmentId, params.team_id), () => fail(teamNotFound));
    const rows = await awaitAll(
      ENVIRONMENT_KINDS.map(async (kind) => ({ kind, environment: await findTeamEnvironment(found, kind) })),
    );
    const data = rows.flatMap(({ kind, environment }) =>
      environment === undefined || isDeleted(environment)
        ? []
        : [presentEnvironment(kind, makeClientId(environment.id), environment)],
    );
    return { status: 200, body: wholeList(data) };
  },
});

export const extensionOperations = [listTeams, setProductionState, listTeamEnvironments] as const;
