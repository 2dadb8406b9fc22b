import { apiKey, newEnvironment } from '../../../../kernel/authentication/api-key.ts';
import { forgetEnvironment } from '../../../../kernel/authentication/environment.ts';
import { operatorOnly, operatorRequired } from '../../../../kernel/authentication/operator-only.ts';
import { Failure, general, notFound, orFail } from '../../../../kernel/errors.ts';
import { operation } from '../../../../kernel/operation.ts';
import { readPage } from '../../../../kernel/pagination.ts';
import { type EnvironmentRecord, environments, readEnvironments } from '../../../../kernel/storage/environment.ts';
import {
  CreateEnvironment,
  Environment,
  EnvironmentList,
  ListEnvironments,
  presentEnvironment,
  UpdateEnvironment,
} from './schema.ts';

const PATH = '/x/platform/stage/environments';
const environmentNotFound = {
  ...notFound('environment of this stage'),
  message: 'The stage has no such environment. Check the id: GET /x/platform/stage/environments lists them all.',
};

/** Reports whether an environment is listed: it is not deleted, and is not that of the operators. */
const isListed = ({ deletedAt, kind }: EnvironmentRecord): boolean => deletedAt === undefined && kind !== 'operators';

async function findListed(id: string): Promise<EnvironmentRecord | undefined> {
  const found = await environments.get(id, id);
  return found !== undefined && isListed(found) ? found : undefined;
}

const getOwn = operation({
  id: 'environment.get',
  method: 'GET',
  path: '/x/environment/details',
  summary: 'Get the environment of the API key',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: Environment },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    const found = await environments.get(environmentId, environmentId);
    // It was deleted while its key was still cached.
    if (found === undefined) throw new Failure(general.unauthorized);
    return { status: 200, body: presentEnvironment(found) };
  },
});

/** The operations of the stage have effects outside of the caller's environment, so only operators for all environments may call them. */
const shared = { auth: operatorOnly, operator: 'operators', emits: [], idempotency: 'none' } as const;

const listEnvironments = operation({
  ...shared,
  id: 'stage_environments.list',
  method: 'GET',
  path: PATH,
  summary: 'List the environments of the stage',
  description:
    'Only for operators with a role for all environments. A page may have fewer entries than `limit` although the list continues: follow `list_metadata.after` until it is null.',
  query: ListEnvironments,
  responses: { 200: EnvironmentList },
  errors: [operatorRequired],
  async handle({ query }) {
    const page = await readPage(query, readEnvironments, (record) => record);
    return { status: 200, body: { ...page, data: page.data.filter(isListed).map(presentEnvironment) } };
  },
});

const createEnvironment = operation({
  ...shared,
  id: 'stage_environments.create',
  method: 'POST',
  path: PATH,
  summary: 'Create an environment',
  description:
    'Only for operators with a role for all environments. The environment has no API key: create one with ' +
    '`POST /x/environment/api_keys` in it.',
  body: CreateEnvironment,
  responses: { 201: Environment },
  errors: [operatorRequired],
  async handle({ body, unit }) {
    const { record } = newEnvironment(body.name);
    const made = environments.create({ ...record, ...readChanges(body) });
    unit.stage(made.write);
    return { status: 201, body: presentEnvironment(made.record) };
  },
});

const getEnvironment = operation({
  ...shared,
  id: 'stage_environments.get',
  method: 'GET',
  path: `${PATH}/{id}`,
  summary: 'Get an environment of the stage',
  etag: true,
  responses: { 200: Environment },
  errors: [operatorRequired, environmentNotFound],
  async handle({ params, fail }) {
    const found = await orFail(findListed(params.id), () => fail(environmentNotFound));
    return { status: 200, body: presentEnvironment(found) };
  },
});

const updateEnvironment = operation({
  ...shared,
  id: 'stage_environments.update',
  method: 'PUT',
  path: `${PATH}/{id}`,
  summary: 'Change an environment of the stage',
  description:
    'Only for operators with a role for all environments. Absent fields are unchanged; null removes a value. All parts of the service use the new values ' +
    'within five seconds.',
  body: UpdateEnvironment,
  ifMatch: getEnvironment,
  dryRun: true,
  responses: { 200: Environment },
  errors: [operatorRequired, environmentNotFound],
  async handle({ params, body, unit, fail }) {
    const found = await orFail(findListed(params.id), () => fail(environmentNotFound));
    const { record, write } = environments.revise(found, {
      ...(body.name !== undefined && { name: body.name }),
      ...readChanges(body),
    });
    unit.stage(write);
    forgetEnvironment(record.id);
    return { status: 200, body: presentEnvironment(record) };
  },
});

interface Given {
  contact_email?: string | null | undefined;
  issuer?: string | null | undefined;
  color?: string | null | undefined;
  is_production?: boolean | undefined;
}

/** The attributes of the members that a body has; null removes one. */
function readChanges({ contact_email: contactEmail, issuer, color, is_production: isProduction }: Given) {
  return {
    ...(contactEmail !== undefined && { contactEmail: contactEmail ?? undefined }),
    ...(issuer !== undefined && { issuer: issuer ?? undefined }),
    ...(color !== undefined && { color: color ?? undefined }),
    ...(isProduction !== undefined && { isProduction }),
  };
}

export const ownEnvironmentOperations = [getOwn] as const;
export const stageEnvironmentOperations = [
  listEnvironments,
  createEnvironment,
  getEnvironment,
  updateEnvironment,
] as const;
