import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { forgetEnvironment } from '../../../kernel/authentication/environment.ts';
import { clock } from '../../../kernel/clock.ts';
import { Failure, general, notFound } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { environments } from '../../../kernel/storage/environment.ts';
import { findFault } from './check.ts';
import { JwtTemplate, jwtTemplateSection, UpdateJwtTemplate } from './schema.ts';

const templateNotFound = notFound('JWT template');

const SECTION = jwtTemplateSection.name;

export const getJwtTemplate = operation({
  id: 'jwt_template.get',
  method: 'GET',
  path: '/user_management/jwt_template',
  summary: 'Get the template of custom claims',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: JwtTemplate },
  errors: [templateNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, fail }) {
    const environment = await environments.get(environmentId, environmentId);
    const stored = (environment?.settings as Record<string, unknown> | undefined)?.[SECTION];
    const { data } = JwtTemplate.safeParse({ object: 'jwt_template', ...(stored as object | undefined) });
    if (data === undefined) throw fail(templateNotFound);
    return { status: 200, body: data };
  },
});

export const updateJwtTemplate = operation({
  id: 'jwt_template.update',
  method: 'PUT',
  path: '/user_management/jwt_template',
  summary: 'Set the template of custom claims',
  description:
    'The template is a Liquid template that produces a JSON object. It is rendered for every access token, with `user`, `organization` and ' +
    '`organization_membership` (null without one). Values are encoded for their position: write `"{{ user.email }}"` ' +
    'within a string or `{{ user.email }}` as a value. It has at most 4,096 bytes, and its claims at most 3,072. The service’s own ' +
    'claims, `sub_profile` and `sub_type` cannot be set. It is tested with made-up users before it is saved: if it fails, the response ' +
    'is 422 `invalid_request_parameters`, and nothing is changed. Tokens use it within five seconds.',
  auth: apiKey,
  operator: 'config.change',
  body: UpdateJwtTemplate,
  ifMatch: getJwtTemplate,
  dryRun: true,
  responses: { 200: JwtTemplate },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit, invalid }) {
    const message = await findFault(body.content);
    if (message !== undefined) throw invalid([{ field: 'content', code: 'invalid_template', message }]);
    const environment = await environments.get(environmentId, environmentId);
    // The environment was deleted while its key was still cached.
    if (environment === undefined) throw new Failure(general.unauthorized);
    const settings = (environment.settings ?? {}) as Record<string, { created_at?: string } | undefined>;
    const now = clock.timestamp();
    const template = { content: body.content, created_at: settings[SECTION]?.created_at ?? now, updated_at: now };
    unit.stage(environments.revise(environment, { settings: { ...settings, [SECTION]: template } }).write);
    forgetEnvironment(environmentId);
    return { status: 200, body: { object: 'jwt_template' as const, ...template } };
  },
});

export const jwtTemplateOperations = [getJwtTemplate, updateJwtTemplate] as const;
