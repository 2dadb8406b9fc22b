import { apiKey } from '../../kernel/authentication/api-key.ts';
import { Failure, general } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation.ts';
import { environments } from '../../kernel/storage/environment.ts';
import { PipesSettings, pipesSettings } from './schema.ts';

export const getPipesSettings = operation({
  id: 'pipes.get_settings',
  method: 'GET',
  path: '/x/pipes/settings',
  summary: 'Get the environment’s settings for connected accounts',
  auth: apiKey,
  responses: { 200: PipesSettings },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    const environment = await environments.get(environmentId, environmentId);
    return { status: 200, body: pipesSettings(environment?.settings) };
  },
});

export const updatePipesSettings = operation({
  id: 'pipes.update_settings',
  method: 'PUT',
  path: '/x/pipes/settings',
  summary: 'Change the environment’s settings for connected accounts',
  description:
    '`authorization_start: confirm` (the default) has whoever opens an authorization URL confirm on a page of the ' +
    'service; choose `redirect` only where your own page asks the same person in the same browser first.',
  auth: apiKey,
  body: PipesSettings,
  responses: { 200: PipesSettings },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit }) {
    const environment = await environments.get(environmentId, environmentId);
    // Deleted while its key was still remembered.
    if (environment === undefined) throw new Failure(general.unauthorized);
    const settings = { ...(environment.settings as Record<string, unknown> | undefined), pipes: body };
    unit.stage(environments.revise(environment, { settings }).write);
    return { status: 200, body };
  },
});
