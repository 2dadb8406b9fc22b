import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { mintKey } from '../../../kernel/authentication/secret-key.ts';
import { declareError, notFound, orFail } from '../../../kernel/errors.ts';
import { isId, readUlid } from '../../../kernel/id-format.ts';
import { newId } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { applicationNotFound, applications, findApplication } from '../application/entity.ts';
import { CLIENT_SECRET_PREFIX } from './authenticate.ts';
import { clientSecrets } from './entity.ts';
import { ClientSecrets, CreateClientSecret, NewClientSecret, presentClientSecret } from './schema.ts';

const MAX_SECRETS = 10;

const secretNotFound = notFound('client secret');

const tooManySecrets = declareError({
  status: 422,
  code: 'client_secret_limit_exceeded',
  message: `An application has at most ${MAX_SECRETS} client secrets. Delete one that is no longer used.`,
});

const listClientSecrets = operation({
  id: 'client_secrets.list',
  method: 'GET',
  path: '/connect/applications/{id}/client_secrets',
  summary: 'List the client secrets of an application',
  description: 'Lists all client secrets, at most ten, the oldest first.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: ClientSecrets },
  errors: [applicationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const application = await orFail(findApplication(environmentId, params.id), () => fail(applicationNotFound));
    const secrets = await clientSecrets.getMany(environmentId, application.secretIds);
    return { status: 200, body: secrets.map(presentClientSecret) };
  },
});

const createClientSecret = operation({
  id: 'client_secrets.create',
  method: 'POST',
  path: '/connect/applications/{id}/client_secrets',
  summary: 'Create a client secret',
  description: 'Only this response contains the value: the service stores its hash and its last four characters.',
  auth: apiKey,
  operator: 'secrets.write',
  body: CreateClientSecret,
  bodyOptional: 'tolerated',
  responses: { 201: NewClientSecret },
  errors: [applicationNotFound, tooManySecrets],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const application = await orFail(findApplication(environmentId, params.id), () => fail(applicationNotFound));
    if (application.secretIds.length >= MAX_SECRETS) throw fail(tooManySecrets);
    const id = newId('secret');
    const { value, hash, lastFour } = mintKey(CLIENT_SECRET_PREFIX, readUlid(id));
    const { owner } = application;
    const { record, write } = clientSecrets.create({
      environmentId,
      id,
      owner,
      applicationId: application.id,
      hash,
      lastFour,
    });
    const secretIds = [...application.secretIds, id];
    unit.stage([write, applications.revise(application, { secretIds }).write]);
    return { status: 201, body: { ...presentClientSecret(record), secret: value } };
  },
});

const deleteClientSecret = operation({
  id: 'client_secrets.delete',
  method: 'DELETE',
  path: '/connect/client_secrets/{id}',
  summary: 'Delete a client secret',
  description: 'It is invalid once the response is sent.',
  auth: apiKey,
  operator: 'secrets.write',
  responses: { 204: null },
  errors: [secretNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const { id } = params;
    const secret = isId('secret', id) ? await clientSecrets.get(environmentId, id) : undefined;
    if (secret === undefined) throw fail(secretNotFound);
    const application = await applications.get(environmentId, secret.applicationId);
    unit.stage(clientSecrets.remove(secret));
    if (application !== undefined) {
      const secretIds = application.secretIds.filter((other) => other !== id);
      unit.stage(applications.revise(application, { secretIds }).write);
    }
    return { status: 204 };
  },
});

/** The operations on client secrets. */
export const clientSecretOperations = [listClientSecrets, createClientSecret, deleteClientSecret] as const;
