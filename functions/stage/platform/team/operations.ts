import { makeClientId, newEnvironment } from '../../../kernel/authentication/api-key.ts';
import { declareError, orFail } from '../../../kernel/errors.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { newId } from '../../../kernel/ids.ts';
import { countAttempt } from '../../../kernel/limits/count-attempt.ts';
import { composeMessage } from '../../../kernel/messages/compose.ts';
import { teamInvitation } from '../../../kernel/messages/templates/team-invitation.ts';
import { operation } from '../../../kernel/operation.ts';
import { settings } from '../../../kernel/settings.ts';
import { claim, findHolder } from '../../../kernel/storage/unique.ts';
import { notPlatform, platformCaller } from '../caller.ts';
import { administratorOf, teams } from './entity.ts';
import { teamNotFound } from './errors.ts';
import { findTeam } from './find.ts';
import { CreateTeam, presentTeam, Team } from './schema.ts';

/** The number of days for which an invitation that could not be delivered is sent again. */
const INVITATION_SECONDS = 7 * 86_400;

const userAlreadyExists = declareError({
  status: 409,
  code: 'user_already_exists',
  message: 'A team of this platform has an administrator with this email. Send another address.',
});

const createTeam = operation({
  id: 'platform_teams.create',
  method: 'POST',
  path: '/platform/teams',
  summary: 'Create a team with a staging and a production environment',
  description:
    'Requires an environment that is a platform. The administrator gets an invitation by mail. Keys of the environments are created by ' +
    '`POST /x/platform/teams/{team_id}/environments/{environment}/keys`. A platform creates at most twenty teams a day.',
  auth: platformCaller,
  body: CreateTeam,
  responses: { 201: Team },
  errors: [notPlatform, userAlreadyExists],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, body: { name, admin_email: adminEmail }, unit, fail }) {
    const administrator = administratorOf(environmentId, adminEmail);
    if ((await findHolder(administrator)) !== undefined) throw fail(userAlreadyExists);
    await countAttempt(unit, environmentId, 'platform-team.environment', environmentId);
    const id = newId('team');
    const [production, staging] = [readUlid(id), undefined].map((ulid, at) =>
      newEnvironment(`${name} ${at === 0 ? 'production' : 'staging'}`, ulid, adminEmail),
    ) as [ReturnType<typeof newEnvironment>, ReturnType<typeof newEnvironment>];
    const stagingId = staging.record.id;
    const { record, write } = teams.create({
      environmentId,
      id,
      name,
      adminEmail,
      stagingId,
      productionState: 'Inactive' as const,
    });
    unit.stage([write, production.write, staging.write]);
    unit.stage(claim(administrator, id), fail(userAlreadyExists));
    const values = {
      teamName: name,
      stagingClientId: makeClientId(stagingId),
      productionClientId: makeClientId(production.record.id),
      serviceUrl: settings().GATEHOUSE_BASE_URL,
    };
    const pending = { environmentId, channel: 'email', to: adminEmail, template: teamInvitation, values } as const;
    unit.stage(await composeMessage({ ...pending, usefulSeconds: INVITATION_SECONDS }));
    return { status: 201, body: presentTeam(record, production.record) };
  },
});

const getTeam = operation({
  id: 'platform_teams.get',
  method: 'GET',
  path: '/platform/teams/{team_id}',
  summary: 'Get a team',
  auth: platformCaller,
  operator: 'config.read',
  responses: { 200: Team },
  errors: [notPlatform, teamNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const { team, production } = await orFail(findTeam(environmentId, params.team_id), () => fail(teamNotFound));
    return { status: 200, body: presentTeam(team, production) };
  },
});

export const teamOperations = [createTeam, getTeam] as const;
